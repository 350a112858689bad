import type { ComponentType } from 'react'
import { paths } from '../paths.ts'

/** The pages that are there, by route. One of the menu that is missing here is marked as under development. */
export const builtPages: Readonly<Record<string, () => Promise<ComponentType>>> = {
  [paths.realtime]: async () => (await import('./monitor/realtime-page.tsx')).RealtimePage,
  [paths.params]: async () => (await import('./settings/params-page.tsx')).ParamsPage,
  [paths.history]: async () => (await import('./history/history-page.tsx')).HistoryPage,
  '/system/project': async () => (await import('./site/project-page.tsx')).ProjectPage,
  '/system/geteway': async () => (await import('./site/gateway-page.tsx')).GatewayPage,
  '/system/roles': async () => (await import('./people/role-page.tsx')).RolePage,
  '/system/users': async () => (await import('./people/user-page.tsx')).UserPage,
  '/system/log': async () => (await import('./audit/log-page.tsx')).LogPage,
  '/system/devLists': async () => (await import('./site/device-page.tsx')).DevicePage,
  '/system/report/account': async () => (await import('./equipment/register-page.tsx')).AssetRegisterPage,
  [paths.ledger]: async () => (await import('./control/ledger-page.tsx')).LedgerPage,
  [paths.firmware]: async () => (await import('./firmware/firmware-page.tsx')).FirmwarePage,
  [paths.selfTests]: async () => (await import('./control/self-tests-page.tsx')).SelfTestsPage,
  [paths.branding]: async () => (await import('./account/branding-page.tsx')).BrandingPage,
  '/system/city': async () => (await import('./site/city-page.tsx')).CityPage,
}
