import { createRoot } from 'react-dom/client'
import { forgetKeptKeys, takeKeyOfLink } from './api/session.js'
import { App } from './app.js'
import { applyLanguage } from './i18n/texts.js'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/pages.css'
import './styles/control.css'
import './styles/sources.css'
import './styles/tools.css'
import { applyTheme } from './theme.js'

// Before anything is drawn: neither the key nor the wrong colours should be seen.
const key = takeKeyOfLink()
forgetKeptKeys()
applyTheme()
applyLanguage()
createRoot(document.getElementById('root')!).render(<App linkKey={key} />)
