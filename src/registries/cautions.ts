import { type BothWords, both } from '../model/both-words.js'
import { visibleText } from '../telemetry/visible-text.js'
import type { ListedServer, ServerPackage } from './server-json.js'

// Nothing is refused here: what a person should know before they say yes.

export const packageCautions = (found: ServerPackage): readonly BothWords[] => [
  ...(found.registryType === 'oci' && !found.identifier.includes('@sha256:')
    ? [both('The tag of an image can be moved; a digest cannot.', '镜像的标签可以改指别处；摘要（digest）不能。')]
    : []),
  ...(found.fileSha256 !== undefined && found.registryType !== 'mcpb'
    ? [
        both(
          `Its fileSha256 is not checked: what ${found.registryType} fetches is not seen here.`,
          `不会核对它的 fileSha256：这里看不到 ${found.registryType} 取到的文件。`,
        ),
      ]
    : []),
]

export const addressCautions = (url: string): readonly BothWords[] => {
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  const isHere = /^(?:localhost|.*\.localhost|.*\.local|.*\.internal|\[.*\]|\d+\.\d+\.\d+\.\d+)$/i.test(host)
  return [
    ...(isHere
      ? [both(`It leads to '${host}', an address of this machine or network.`, `它指向“${host}”，是本机或内网的地址。`)]
      : []),
    ...(/^http:/i.test(url) && !isHere ? [both('It is reached without encryption.', '与它的通信没有加密。')] : []),
  ]
}

export const standingCautions = ({ standing: { status, statusMessage } }: ListedServer): readonly BothWords[] => {
  if (status !== 'deprecated') return []
  const why = statusMessage === undefined ? '' : ` ${visibleText(statusMessage)}`
  return [both(`Its publisher has given it up.${why}`, `它的发布者已弃用它。${why}`)]
}
