import { exportCatalog } from '../catalog/export.js'
import { type ProviderFormat, type ProviderTools, providerFormats, toProviderTools } from '../catalog/provider-tools.js'
import { GatewayError } from '../errors.js'
import type { Tool } from '../model/tool.js'
import { say } from './locale.js'

/** The tool list for other programs: a catalog as we read it ourselves, or the words of a model's provider. */
export const exportedTools = (
  tools: readonly Tool[],
  format?: string,
): { readonly written: unknown; readonly losses: ProviderTools['losses'] } => {
  if (format === undefined) return { written: exportCatalog(tools), losses: [] }
  const { tools: written, losses } = toProviderTools(tools, formatOf(format))
  return { written, losses }
}

const formatOf = (format: string): ProviderFormat => {
  const found = providerFormats.find((each) => each === format)
  if (found) return found
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(`--format must be one of ${providerFormats.join(', ')}.`, `--format 可选：${providerFormats.join('、')}。`),
  )
}
