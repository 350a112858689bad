import {
  cancelDownload,
  downloadProgress,
  grantControl,
  liveTicket,
  login,
  logout,
  privileges,
  Refusal,
  setLanguage,
  setSwitchSetting,
  switchSetting,
  userInfo,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Downloads } from '../../http/downloads.ts'
import type { Tickets } from '../../live/tickets.ts'
import type { Accounts } from './service.ts'

export function accountRoutes(
  serve: Serve,
  accounts: Accounts,
  { tickets, downloads }: { tickets: Tickets; downloads: Downloads },
): void {
  serve(login, ({ body, address }) => accounts.signIn(body, address))
  serve(logout, async ({ actor, body }) => {
    if (body.UserID !== actor.accountId) throw new Refusal('invalid parameter')
    await accounts.signOut(actor)
    return null
  })
  serve(userInfo, ({ actor }) => accounts.info(actor))
  serve(privileges, ({ actor }) => accounts.rolesOf(actor))
  serve(setLanguage, async ({ actor, body }) => {
    await accounts.setLanguage(actor, body.Language)
    return null
  })
  serve(setSwitchSetting, async ({ actor, body }) => {
    await accounts.setAlarmSound(actor, body.Setting === 1)
    return null
  })
  serve(switchSetting, async ({ actor, query }) => {
    if (query.UserID !== actor.accountId) throw new Refusal('access denied')
    const { Setting } = await accounts.info(actor)
    return { items: [{ Setting }], total: 1 }
  })
  serve(grantControl, ({ actor, body }) => accounts.grant(actor, body))
  serve(liveTicket, ({ actor }) => tickets.issue(actor))
  serve(cancelDownload, ({ actor, params }) => {
    downloads.cancel(actor, params.Ticket)
    return null
  })
  serve(downloadProgress, ({ actor, params }) => downloads.progress(actor, params.Ticket))
}
