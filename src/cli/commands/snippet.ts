import { ourEntry } from '../../clients/our-entry.js'
import { entryText } from '../../clients/snippets.js'
import { placeOf } from '../../serving/importing/place.js'
import { say } from '../../serving/locale.js'
import { addressForClients, keyVariableOf } from '../../serving/our-launch.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { print } from '../terminal/terminal.js'
import { afterwards, requireClient } from './client-place.js'
import { type ConnectFlags, reachOf } from './connect.js'

export type SnippetFlags = CommonFlags & Pick<ConnectFlags, 'http' | 'name' | 'profile' | 'home'>

/** `pegboard export CLIENT`: what to paste into a client's configuration, and where. */
export const printSnippet = async (word: string, flags: SnippetFlags): Promise<void> => {
  const client = requireClient(word)
  const loaded = await readConfig(flags)
  const name = flags.name ?? 'pegboard'
  const text = await entryText(client, name, ourEntry(client, reachOf(loaded, flags)))
  const [file] = client.files(placeOf(flags.home))
  const command = client.addCommand?.(
    name,
    `${addressForClients(loaded.config)}${loaded.config.server.path}`,
    keyVariableOf(loaded.config),
  )
  // On standard output only what is to be pasted, so that it can be piped; what to do with it goes beside it.
  print(flags, { client: client.id, file: file?.path ?? null, snippet: text, command: command ?? null }, [text])
  if (flags.json) return
  const hints = [
    ...(file
      ? [
          say(
            `Into: ${file.path} (pegboard connect ${client.id} does it for you)`,
            `粘贴到：${file.path}（pegboard connect ${client.id} 可以代劳）`,
          ),
        ]
      : []),
    ...(command === undefined
      ? []
      : [say(`Or, with pegboard serve running: ${command}`, `或者，在 pegboard serve 运行时：${command}`)]),
    afterwards(client),
  ]
  process.stderr.write(`${hints.join('\n')}\n`)
}
