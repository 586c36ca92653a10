import { describe, expect, it } from 'vitest'
import { codeOf } from '../../../../test/helpers/thrown-code.js'
import { environmentText, isOurEnvironment, namesIn } from './environment-file.js'

describe('the variables of a service', () => {
  it('are written so that neither systemd nor a shell reads anything into them', () => {
    const text = environmentText(['A', 'B', 'A'], { A: 'x "y" \\z $HOME `id`', B: '' })
    expect(text.split('\n').slice(1)).toEqual(['A="x \\"y\\" \\\\z \\$HOME \\`id\\`"', 'B=""', ''])
    expect(isOurEnvironment(text)).toBe(true)
    expect(namesIn(text)).toEqual(['A', 'B'])
  })

  it('must be set here', () => {
    expect(codeOf(() => environmentText(['NOT_SET'], {}))).toBe('VARIABLE_UNSET')
  })

  it('are named, so that no value stands on a command line, and none in the error', () => {
    expect(() => environmentText(['TOKEN=s3cret'], { TOKEN: 'x' })).toThrow(/TOKEN/)
    expect(() => environmentText(['TOKEN=s3cret'], { TOKEN: 'x' })).not.toThrow(/s3cret/)
  })

  it('are not ours in a file that somebody made by hand', () => {
    expect(isOurEnvironment('TOKEN=x\n')).toBe(false)
  })
})
