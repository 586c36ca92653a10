/**
 * Headers that something between the client and us has written, by class and with the reason. A request that has one was
 * carried by somebody for somebody else, so its peer address says nothing about who sent it (S12, A5). Names of no class
 * here are a client's own: traces (`traceparent`, `x-request-id`), keys, MCP's.
 */
const signs: readonly { readonly why: string; readonly names: RegExp }[] = [
  {
    why: 'RFC 7239, RFC 9110, RFC 8586: what proxies and content networks add by the standards',
    names: /^(?:forwarded|via|cdn-loop|max-forwards|surrogate-capability)$/,
  },
  {
    why: 'for whom, from where, by which scheme and name a request was passed on, in the spellings of all proxies',
    names: /forwarded/,
  },
  {
    why: "somebody names the client's address (X-Real-IP, True-Client-IP, X-Cluster-Client-IP, X-Azure-ClientIP, X-ProxyUser-Ip …)",
    names:
      /(?:^|-)(?:client|user|proxyuser|real|remote|socket|src|source|peer|visitor|viewer|connecting|true)?ips?(?:-|$)/,
  },
  {
    why: 'the same in other words (X-Remote-Addr, X-Envoy-External-Address, CloudFront-Viewer-Address, X-Client-Port)',
    names:
      /(?:^|-)(?:client|remote|external|viewer|peer|source|socket|real|visitor)-?(?:addr(?:ess)?|ports?|hosts?)(?:-|$)/,
  },
  {
    why: 'what the request was before somebody rewrote it (X-Original-URL, X-Rewrite-URL, X-Scheme, X-Host)',
    names: /^x-(?:real|original|rewrite|scheme|url-scheme|ssl|https|host|accel|sendfile)(?:-|$)/,
  },
  {
    why: 'proxies by name, and what clients tell proxies alone (Proxy-Authorization, X-Nginx-Proxy, X-Envoy-…, X-Kong-…)',
    names:
      /(?:^|-)proxy(?:-|$)|^(?:x-)?(?:nginx|haproxy|traefik|varnish|squid|kong|consumer|envoy|istio|caddy|bluecoat|zscaler|f5|bigip|apigw|apisix|tyk)(?:-|$)/,
  },
  {
    why: 'content networks: Cloudflare, Fastly, Akamai, CloudFront, Azure Front Door, Imperva, Sucuri, Aliyun, EdgeOne, Bunny',
    names:
      /^(?:cf|fastly|akamai|x-akamai|cloudfront|x-amz-cf|x-azure|x-fd|incap|x-incap|x-iinfo|x-sucuri|ali|ali-cdn|eo|eagleeye|cdn|bunnycdn|x-cdn|x-qiniu|x-tencent)(?:-|$)/,
  },
  {
    why: 'balancers and platforms that stand in front of programs: AWS, Google, Azure, Fly, Heroku, Vercel, Netlify, Render, Railway',
    names:
      /^(?:x-amzn|x-appgw|x-amz-apigw|x-arr|x-waws|was-default|disguised|x-ms-client|x-appservice|x-appengine|x-cloud-trace|x-goog-(?:iap|authenticated)|x-gfe|x-cloudrun|fly|x-fly|heroku|x-heroku|x-vercel|x-nf|x-netlify|x-render|rndr|x-railway|x-zeabur|x-replit|x-codespaces|x-gitpod)(?:-|$)/,
  },
  {
    why: 'tunnels and meshes that end on this machine: Tailscale, ngrok, Linkerd, dev tunnels',
    names: /^(?:tailscale|ngrok|x-ngrok|l5d|x-tunnel|x-ms-tunnel|x-devtunnels?|x-zrok|x-pinggy|bypass-tunnel)(?:-|$)/,
  },
  {
    why: 'who signed in, written by a proxy that asks (oauth2-proxy, Authelia, authentik, Pomerium, IAP, mTLS at the proxy)',
    names:
      /^(?:x-auth-request|x-authentik|x-pomerium|x-vouch|remote-(?:user|groups?|name|email)|ssl-client|x-tls|tls-client|x-cert|client-cert|client-ssl|x-webauth)(?:-|$)/,
  },
  {
    why: 'when a balancer took the request in (X-Request-Start, X-Queue-Start), and that it spoke TLS',
    names: /^x-(?:request|queue)-start$|^front-end-https$/,
  },
]

/** Whether a header of this name, in lower case, tells of a proxy. */
export const isProxySign = (name: string): boolean =>
  // MCP puts arguments into headers whose names the tools choose.
  !name.startsWith('mcp-') && signs.some(({ names }) => names.test(name))
