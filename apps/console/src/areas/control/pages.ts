import { paths } from '../../paths.ts'
import type { ConsolePages } from '../console-area.ts'

export const controlPages: ConsolePages = {
  [paths.ledger]: async () => (await import('./ledger-page.tsx')).LedgerPage,
  [paths.selfTests]: async () => (await import('./self-tests-page.tsx')).SelfTestsPage,
}
