import type { ComponentType } from 'react'
import { paths } from '../paths.ts'

type Built = () => Promise<{ readonly Component: ComponentType }>

/** The pages that are there, by route. One of the menu that is missing here is marked as under development. */
export const builtPages: Readonly<Record<string, Built>> = {
  [paths.realtime]: async () => ({ Component: (await import('../areas/monitor/realtime-page.tsx')).RealtimePage }),
  [paths.ledger]: async () => ({ Component: (await import('../areas/control/ledger-page.tsx')).LedgerPage }),
  '/system/city': async () => ({ Component: (await import('../areas/site/city-page.tsx')).CityPage }),
}
