import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/tokens.css'
import './ui/base.css'
import { prefetch } from './app/net/prefetch.ts'
import { loadBranding } from './app/shell/branding.ts'
import { installWorker } from './app/shell/install-worker.ts'
import { startTheme } from './app/shell/theme.ts'
import { firstTexts } from './areas/first-texts.ts'
import { App } from './routes.tsx'
import { startTexts } from './ui/i18n.ts'

startTheme()
startTexts(firstTexts)
prefetch()
void loadBranding()
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
installWorker()
