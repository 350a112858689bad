import { area, callsIn } from '../../core/area.ts'
import * as account from './account.ts'
import * as branding from './branding.ts'
import * as keys from './keys.ts'
import * as names from './names.ts'
import { pages } from './pages.ts'
import * as signIn from './sign-in.ts'

export * from './account.ts'
export * from './branding.ts'
export * from './keys.ts'
export * from './sign-in.ts'

export const accountArea = area({
  name: 'account',
  pages,
  calls: callsIn(account, branding, keys, signIn),
  names,
})
