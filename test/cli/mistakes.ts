import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that the mistakes below are about. */
export const writeMistakenFiles = (home: string): void => {
  writeFileSync(join(home, 'broken.json'), '{\n  "sources": { "a": { "command": 3 } }\n}\n')
  writeFileSync(join(home, 'torn.json'), '{\n  "sources": {')
  writeFileSync(join(home, 'board.json'), JSON.stringify({ sources: { files: { command: 'x', enabled: false } } }))
  writeFileSync(join(home, 'empty.json'), '{}')
}

/** What somebody types wrongly, the code it ends with, and the words that say what to do next. */
export const mistakes: readonly (readonly [args: string, code: number, next: RegExp])[] = [
  ['lisst', 1, /did you mean "list"\?/],
  ['xyzzyx', 1, /pegboard --help/],
  // U10
  ['version', 1, /pegboard --version/],
  ['list --soruces', 1, /Did you mean --sources\?.*Add --help/s],
  ['config chek', 1, /Did you mean check\?/],
  ['call', 1, /missing required argument 'tool'.*Add --help/s],
  ['call calculater expression=1', 2, /Did you mean 'calculator'\?/],
  ['call no.such.thing', 2, /pegboard search no such thing/],
  ['call calculator expression', 1, /Write for example city=Oslo/],
  ['call calculator --args-json [1]', 1, /one JSON object, such as/],
  ['search zzzqqq', 2, /No tool found/],
  ['search x --limit 0', 1, /whole number above 0/],
  ['inspect nothing', 2, /pegboard search nothing/],
  ['export --format gpt', 1, /one of openai/],
  ['export vscod', 1, /did you mean "vscode"\?/],
  ['connect emacs', 1, /Choose one of claude-desktop/],
  ['connect cherry-studio', 1, /pegboard export cherry-studio/],
  ['connect claude-desktop --http', 1, /Leave --http out/],
  ['connect cursor --profile nope', 6, /pegboard profile list/],
  ['connect cursor --undo', 2, /Name the file with --file/],
  ['import', 2, /Name a file: pegboard import/],
  ['import cursor', 2, /Name its file instead/],
  ['import ./absent.json', 6, /Check the path/],
  ['import ./torn.json', 0, /torn.json:2: not JSON .*Repair that file first/],
  ['add x', 1, /Say what 'x' is: .*pegboard add x -- npx/],
  ['add files -c board.json -- y', 1, /pegboard remove files/],
  ['add x ftp://host', 6, /use http, https, ws or wss/],
  ['enable fiels -c board.json', 2, /Did you mean 'files'\? The sources are: files/],
  ['remove x -c empty.json', 2, /pegboard add NAME/],
  ['check -c broken.json', 6, /broken.json:2:\d+ sources.a.command/],
  ['check -c torn.json', 6, /torn.json:2/],
  ['check -c absent.json', 6, /absent.json/],
  ['profile show nope', 2, /The profiles are: default/],
  ['lock diff', 2, /pegboard lock write/],
  ['lock approve', 2, /pegboard lock write/],
  ['completion tcsh', 1, /bash, zsh, fish/],
  ['init --yes -c board.json', 1, /pegboard import/],
  ['init --yes --connect vim -c new.json', 1, /Choose one of/],
  ['stats --port 9', 4, /pegboard serve/],
  ['restart x --port 9', 4, /pegboard serve/],
  ['logs --port 9', 4, /pegboard serve/],
  ['top --port 9', 4, /pegboard serve/],
]
