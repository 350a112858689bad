import type { Exposure, Roles, UserInfo } from '@linewarden/contract'
import { buttons, pages, Refusal } from '@linewarden/contract'
import { permits } from '@linewarden/rules/account'
import type { Actor } from '../../access/actor.ts'
import type { Config } from '../../config.ts'
import * as stored from '../../store/account/account.ts'
import type { Database } from '../../store/core/database.ts'
import type { Brand } from './branding.ts'

interface Deps {
  readonly database: Database
  readonly config: Pick<Config, 'extraRoutes'>
  readonly branding: Pick<Brand, 'now'>
  readonly exposures: () => Exposure[]
}

/** What a signed-in person is shown of the own account, and chooses for it. */
export function createProfile({ database, config, branding, exposures }: Deps) {
  const db = database.control
  return {
    info,
    rolesOf,
    setAlarmSound: (actor: Actor, on: boolean) => stored.setAccountAlarmSound(db, actor.accountId, on),
    setLanguage: (actor: Actor, language: 'CN' | 'EN') => stored.setAccountLanguage(db, actor.accountId, language),
  }

  async function info(actor: Actor): Promise<UserInfo> {
    const account = await stored.accountById(db, actor.accountId)
    if (!account) throw new Refusal('session expired')
    const brand = branding.now()
    return {
      UserID: account.accountId,
      UserName: account.userName,
      NickName: account.nickName,
      Roles: rolesOf(actor),
      RoleName: account.roleName,
      ControlPwd: account.controlHash !== null,
      Language: account.language,
      Setting: account.alarmSound ? 1 : 0,
      Shared: account.kind === 'shared',
      Company: companyOf(brand, account.language),
      ExtraRoute: config.extraRoutes.get(account.userName.toLowerCase()) ?? null,
      Provider: brand.Provider,
      Platform: account.kind === 'platform',
      MustChangePassword: account.mustChangePassword,
      SecondFactor: account.hasSecondFactor ? 'on' : actor.mustEnrol ? 'required' : 'off',
      Exposures: account.kind === 'platform' ? exposures() : [],
    }
  }
}

/** The wire's roles: permissions by their Chinese labels. */
function rolesOf(actor: Pick<Actor, 'platform' | 'administrator' | 'privileges' | 'buttons' | 'shared'>): Roles {
  const has = (key: string) => permits(key, actor)
  return {
    IsAdministrators: actor.administrator,
    Privileges: pages.flatMap(({ key, name, subs }) => {
      const allowed = subs.filter((sub) => has(sub.key))
      return has(key) || allowed.length > 0 ? [{ Name: name.zh, Subs: allowed.map((sub) => ({ Name: sub.name.zh })) }] : []
    }),
    LevelBtn: actor.shared ? [] : actor.administrator ? Object.keys(buttons) : [...actor.buttons],
  }
}

/** A logo alone says whose installation it is, too. */
const companyOf = ({ Name, Logo }: ReturnType<Brand['now']>, language: 'CN' | 'EN'): UserInfo['Company'] =>
  Name === null && Logo === '' ? null : { Name: (language === 'EN' ? Name?.en : Name?.zh) ?? '', PlatLogo: Logo }
