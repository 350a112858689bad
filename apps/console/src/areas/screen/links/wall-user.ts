import type { UserInfo } from '@linewarden/contract'
import { pages } from '@linewarden/contract'

const energy = pages.find(({ key }) => key === 'energy')

/** What the pages of a wall ask a person's rights of: it reads, energy among it, and changes nothing. The server decides all the same. */
export const wallUser = (userId: string, language: UserInfo['Language']): UserInfo => ({
  ...{ UserID: userId, UserName: '', NickName: '', RoleName: '', ControlPwd: false, Language: language, Setting: 0 },
  ...{ Shared: true, Company: null, ExtraRoute: null, Provider: null, Platform: false, MustChangePassword: false },
  Roles: {
    IsAdministrators: false,
    Privileges: energy ? [{ Name: energy.name.zh, Subs: energy.subs.map(({ name }) => ({ Name: name.zh })) }] : [],
    LevelBtn: [],
  },
  SecondFactor: 'off',
  Exposures: [],
})
