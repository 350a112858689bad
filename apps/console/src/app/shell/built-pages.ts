import type { ComponentType } from 'react'
import { paths } from '../../paths.ts'

/** The pages that are there, by route. One of the menu that is missing here is marked as under development. */
export const builtPages: Readonly<Record<string, () => Promise<ComponentType>>> = {
  [paths.realtime]: async () => (await import('../../areas/monitor/realtime-page.tsx')).RealtimePage,
  [paths.params]: async () => (await import('../../areas/settings/params-page.tsx')).ParamsPage,
  [paths.history]: async () => (await import('../../areas/history/history-page.tsx')).HistoryPage,
  '/system/project': async () => (await import('../../areas/site/project-page.tsx')).ProjectPage,
  '/system/geteway': async () => (await import('../../areas/site/gateway-page.tsx')).GatewayPage,
  '/system/roles': async () => (await import('../../areas/people/role-page.tsx')).RolePage,
  '/system/users': async () => (await import('../../areas/people/user-page.tsx')).UserPage,
  '/system/log': async () => (await import('../../areas/audit/log-page.tsx')).LogPage,
  '/system/devLists': async () => (await import('../../areas/site/device-page.tsx')).DevicePage,
  '/system/report/account': async () => (await import('../../areas/equipment/register-page.tsx')).AssetRegisterPage,
  [paths.ledger]: async () => (await import('../../areas/control/ledger-page.tsx')).LedgerPage,
  [paths.firmware]: async () => (await import('../../areas/firmware/firmware-page.tsx')).FirmwarePage,
  [paths.selfTests]: async () => (await import('../../areas/control/self-tests-page.tsx')).SelfTestsPage,
  [paths.branding]: async () => (await import('../../areas/account/branding-page.tsx')).BrandingPage,
  '/system/city': async () => (await import('../../areas/site/city-page.tsx')).CityPage,
}
