import type { Bundle } from '../../bundles/bundle.js'
import type { LaunchWords } from '../../bundles/manifest.js'
import { say } from '../../serving/locale.js'
import { oneLine } from '../../telemetry/plain-text.js'

/** A bundle for people: what it says it is, what it asks for, what it would run. */
export const describeBundle = (bundle: Bundle, runs: LaunchWords, problem?: string): readonly string[] => {
  const { manifest, entries } = bundle
  const { name, display_name, version, author, description, tools = [], user_config = {} } = manifest
  return [
    say(
      `${oneLine(display_name ?? name)} ${version}${author?.name ? `, by ${oneLine(author.name)}` : ''} (as it says itself)`,
      `${oneLine(display_name ?? name)} ${version}${author?.name ? `，作者 ${oneLine(author.name)}` : ''}（它自己的说法）`,
    ),
    ...(description ? [`  ${oneLine(description)}`] : []),
    say(
      `  ${entries.length} entries, ${bundle.bytes} bytes, ${bundle.unpackedBytes} unpacked`,
      `  ${entries.length} 个条目，${bundle.bytes} 字节，解包后 ${bundle.unpackedBytes} 字节`,
    ),
    `  SHA-256 ${bundle.sha256}`,
    bundle.isSigned
      ? say('  Signature: present, not verified', '  签名：有，未验证')
      : say('  Signature: none', '  签名：无'),
    ...(tools.length > 0
      ? [
          say(
            `  Tools it names: ${tools.map((tool) => oneLine(tool.name)).join(', ')}`,
            `  它列出的工具：${tools.map((tool) => oneLine(tool.name)).join('、')}`,
          ),
        ]
      : []),
    ...Object.entries(user_config).map(([key, option]) => {
      const marks = [
        option.type,
        ...(option.required ? [say('required', '必填')] : []),
        ...(option.sensitive ? [say('secret', '机密')] : []),
      ]
      return say(
        `  Asks for ${key} (${marks.join(', ')})${option.title ? `: ${oneLine(option.title)}` : ''}`,
        `  询问 ${key}（${marks.join('、')}）${option.title ? `：${oneLine(option.title)}` : ''}`,
      )
    }),
    ...launchLines(runs),
    ...(problem === undefined ? [] : [say(`  ${problem}`, `  无法安装：${problem}`)]),
  ]
}

/** The exact command, word by word, and which variables it is given. */
export const launchLines = ({ command, args = [], env = {} }: LaunchWords): readonly string[] => [
  say(
    `  Runs: ${JSON.stringify([command, ...args])}, without a shell`,
    `  运行：${JSON.stringify([command, ...args])}，不经过 shell`,
  ),
  ...Object.entries(env).map(([name, value]) => `    ${name}=${JSON.stringify(value)}`),
]
