import * as contract from '@linewarden/contract'
import {
  cancelDownload,
  downloadProgress,
  grantControl,
  liveTicket,
  login,
  logout,
  phoneKeys,
  privileges,
  Refusal,
  setLanguage,
  setSwitchSetting,
  switchSetting,
  userInfo,
} from '@linewarden/contract'
import type { Serve } from '../../http/context.ts'
import type { Downloads } from '../../http/downloads.ts'
import type { Tickets } from '../../http/live/tickets.ts'
import type { Brand } from './branding.ts'
import type { Accounts } from './service.ts'

/** Signing in beyond account and password. */
export function signInRoutes(serve: Serve, accounts: Accounts): void {
  const { factor } = accounts
  serve(contract.resume, ({ body, address, attended }) => accounts.resume(body, address, attended))
  serve(contract.giveSecondFactor, ({ body, address }) => accounts.giveSecond(body, address))
  serve(contract.redeemSignOn, ({ body, address }) => accounts.redeem(body, address))
  serve(contract.proveSession, ({ actor, body }) => accounts.proveSession(actor, body.Password))
  serve(contract.secondFactor, async ({ actor }) => ({
    On: (await accounts.info(actor)).SecondFactor === 'on',
    Required: accounts.asksSecondFactor(actor),
    RecoveryCodes: await factor.left(actor.accountId),
  }))
  serve(contract.beginSecondFactor, ({ actor, body }) => factor.begin(actor, body.Password))
  serve(contract.confirmSecondFactor, ({ actor, body }) => factor.confirm(actor, body.Code))
  serve(contract.renewRecoveryCodes, ({ actor, body }) => factor.renew(actor, body.Code))
  serve(contract.removeSecondFactor, ({ actor, body }) => factor.remove(actor, body.Password, body.Code))
}

export function keyRoutes(serve: Serve, { keys }: Pick<Accounts, 'keys'>): void {
  serve(contract.listKeys, ({ actor, query }) => keys.list(actor, query))
  serve(contract.addKey, ({ actor, body }) => keys.add(actor, body))
  serve(contract.revokeKey, ({ actor, body }) => keys.revoke(actor, body.KeyID))
  serve(contract.keySignIn, ({ body, address }) => keys.signIn(body, address))
}

export function brandingRoutes(serve: Serve, branding: Brand): void {
  serve(contract.branding, () => branding.shown())
  serve(contract.brandingSettings, () => branding.settings())
  serve(contract.editBranding, ({ actor, body }) => branding.edit(actor, body))
}

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
  serve(phoneKeys, ({ actor }) => accounts.phoneKeys(actor))
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
    return [{ Setting }]
  })
  serve(grantControl, ({ actor, body }) => accounts.grant(actor, body))
  serve(liveTicket, ({ actor }) => tickets.issue(actor))
  serve(cancelDownload, ({ actor, params }) => {
    downloads.cancel(actor, params.Ticket)
    return null
  })
  serve(downloadProgress, ({ actor, params }) => downloads.progress(actor, params.Ticket))
}
