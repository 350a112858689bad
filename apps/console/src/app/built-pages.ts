import type { ComponentType } from 'react'
import { paths } from '../paths.ts'

type Built = () => Promise<{ readonly Component: ComponentType }>

/** The pages that are there, by route. One of the menu that is missing here is marked as under development. */
export const builtPages: Readonly<Record<string, Built>> = {
  [paths.realtime]: async () => ({ Component: (await import('../areas/monitor/realtime-page.tsx')).RealtimePage }),
  '/devmon/params': async () => ({ Component: (await import('../areas/settings/params-page.tsx')).ParamsPage }),
  [paths.history]: async () => ({ Component: (await import('../areas/history/history-page.tsx')).HistoryPage }),
  '/system/project': async () => ({ Component: (await import('../areas/site/project-page.tsx')).ProjectPage }),
  '/system/geteway': async () => ({ Component: (await import('../areas/site/gateway-page.tsx')).GatewayPage }),
  '/system/roles': async () => ({ Component: (await import('../areas/account/role-page.tsx')).RolePage }),
  '/system/users': async () => ({ Component: (await import('../areas/account/user-page.tsx')).UserPage }),
  '/system/log': async () => ({ Component: (await import('../areas/account/log-page.tsx')).LogPage }),
  '/system/devLists': async () => ({ Component: (await import('../areas/site/device-page.tsx')).DevicePage }),
  '/system/report/account': async () => ({ Component: (await import('../areas/site/ledger-page.tsx')).LedgerPage }),
  [paths.ledger]: async () => ({ Component: (await import('../areas/control/ledger-page.tsx')).LedgerPage }),
  [paths.firmware]: async () => ({ Component: (await import('../areas/firmware/firmware-page.tsx')).FirmwarePage }),
  [paths.selfTests]: async () => ({ Component: (await import('../areas/control/self-tests-page.tsx')).SelfTestsPage }),
  [paths.branding]: async () => ({ Component: (await import('../areas/account/branding-page.tsx')).BrandingPage }),
  '/system/city': async () => ({ Component: (await import('../areas/site/city-page.tsx')).CityPage }),
}
