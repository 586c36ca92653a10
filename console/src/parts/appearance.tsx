import { chooseLanguage, useLanguage, useTexts } from '../i18n/texts.js'
import type { Language } from '../i18n/words.js'
import { chooseTheme, type Theme, useTheme } from '../theme.js'
import { Choice } from './field.js'
import { Card } from './page.js'

/** How the console looks to this reader. */
export const Appearance = () => {
  const say = useTexts()
  const language = useLanguage()
  const theme = useTheme()
  return (
    <Card title={say('appearance')}>
      <Choice
        label={say('language')}
        value={language}
        onChange={(next) => chooseLanguage(next as Language)}
        options={[
          ['en', 'English'],
          ['zh', '中文'],
        ]}
      />
      <Choice
        label={say('theme')}
        value={theme}
        onChange={(next) => chooseTheme(next as Theme)}
        options={[
          ['system', say('themeSystem')],
          ['light', say('themeLight')],
          ['dark', say('themeDark')],
        ]}
      />
    </Card>
  )
}
