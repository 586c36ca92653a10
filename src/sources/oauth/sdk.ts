/** The SDK's OAuth code. Loaded when the first source asks for a sign-in: nobody else pays for it. */
export const loadSdk = () => import('@modelcontextprotocol/client')

export type Sdk = Awaited<ReturnType<typeof loadSdk>>
