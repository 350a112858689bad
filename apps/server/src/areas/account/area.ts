import { accountArea as manifest } from '@linewarden/contract'
import { purgeExpired } from '../../store/account/session.ts'
import { serverArea } from '../server-area.ts'
import { createBranding } from './branding.ts'
import { startResealing } from './peppers.ts'
import { accountRoutes, brandingRoutes, keyRoutes, signInRoutes } from './routes.ts'
import { createAccounts } from './service.ts'
import { createSignOn } from './sign-on.ts'
import { accountSubjects } from './subjects.ts'

export const accountArea = serverArea(manifest, {
  async create(core) {
    const branding = await createBranding(core)
    const accounts = await createAccounts({ ...core, branding })
    const { signOn } = core.config
    return { branding, accounts, signOn: signOn && createSignOn({ ...core, config: signOn, accounts }) }
  },
  routes(serve, { accounts, branding }, core) {
    accountRoutes(serve, accounts, core)
    signInRoutes(serve, accounts)
    keyRoutes(serve, accounts)
    brandingRoutes(serve, branding)
  },
  publicRoutes(app, { branding, signOn }) {
    branding.mountLogo(app)
    signOn?.mount(app)
  },
  background: startResealing,
  subjects: accountSubjects,
  jobs: [
    {
      task: 'purge.sessions',
      match: '*/10 * * * *',
      run: async ({ database, clock, sessionAbsoluteMs }) => purgeExpired(database.general, clock(), sessionAbsoluteMs),
    },
  ],
})
