import type { Exposure, proveSession, Reply } from '@linewarden/contract'
import type { Logger } from 'pino'
import type { Actor } from '../../access/actor.ts'
import type { RefusedAttempts } from '../../audit/refused-attempts.ts'
import type { Config } from '../../config.ts'
import { KeyedMutex } from '../../lib/serial.ts'
import type { RightsChange } from '../../plant/hub.ts'
import type { Plant } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { createActors } from './actors.ts'
import type { Brand } from './branding.ts'
import { createControlGrants } from './control-grants.ts'
import { createKeys } from './keys.ts'
import { createOpenSessions } from './open-sessions.ts'
import { createPasswordSignIn } from './password-sign-in.ts'
import { Passwords } from './passwords.ts'
import { phoneKeysOf } from './phone-keys.ts'
import { createProfile } from './profile.ts'
import { createProof } from './proof.ts'
import { createProvisioning } from './provisioning.ts'
import { createSecondFactor } from './second-factor.ts'
import type { Peppers } from './secrets.ts'
import { Seal } from './secrets.ts'
import { createSessionOpening } from './session-opening.ts'
import { createSignIn } from './sign-in.ts'

export type Accounts = Awaited<ReturnType<typeof createAccounts>>

/** Accounts, sessions and grants. On the very first start it makes an administrator, whose password is in `firstPassword` and nowhere else. */
export async function createAccounts(deps: {
  config: Pick<Config, 'firstAccount' | 'sessionIdleMs' | 'sessionAbsoluteMs' | 'extraRoutes' | 'requireSecondFactor'>
  peppers: Peppers
  database: Database
  plant: Pick<Plant, 'cities' | 'projects'>
  branding: Pick<Brand, 'now'>
  exposures: () => Exposure[]
  refused: Pick<RefusedAttempts, 'note'>
  clock: () => number
  log: Logger
}) {
  const { config, peppers, database, branding, refused, clock, log } = deps
  const passwords = new Passwords(peppers)
  const seal = new Seal(peppers, 'session tokens')
  const limits = { idleMs: config.sessionIdleMs, absoluteMs: config.sessionAbsoluteMs }
  const { firstAdministrator, ...provisioning } = createProvisioning({ ...deps, passwords })
  const firstPassword = await firstAdministrator(config.firstAccount)
  // Tries at a secret are counted between asking whether one more is allowed and noting that it failed: a hundred at once would all be allowed.
  const tries = new KeyedMutex()
  const { sessionEnded, endOthers, renewToken, ...sessions } = createOpenSessions({ database, seal, limits, clock })
  const { begin, resume, beginByKey } = createSessionOpening({
    database,
    seal,
    absoluteMs: limits.absoluteMs,
    sessionEnded,
    clock,
  })
  const { known } = createPasswordSignIn({ database, passwords, tries, refused, clock })
  const { proves } = createProof({ database, passwords, tries, clock })
  const factor = createSecondFactor({
    database,
    seal: new Seal(peppers, 'second factors'),
    peppers,
    proves,
    endOthers,
    issuer: () => branding.now().Name?.en ?? 'Linewarden',
    clock,
  })
  const onRightsChange = new Set<(change: RightsChange) => void>()

  return {
    firstPassword,
    ...provisioning,
    ...sessions,
    ...createSignIn({ database, known, factor, begin, clock }),
    resume,
    ...createActors({ database, config, candidates: sessions.candidates }),
    ...createProfile(deps),
    ...createControlGrants({ database, passwords, tries, clock, log }),
    proves,
    factor,
    keys: createKeys({ database, plant: deps.plant, beginByKey, sessionEnded, refused, clock }),
    async proveSession(actor: Actor, passwordMd5: string): Promise<Reply<typeof proveSession>> {
      await proves(actor, passwordMd5)
      return renewToken(actor)
    },
    phoneKeys: ({ accountId }: Pick<Actor, 'accountId'>) => phoneKeysOf(peppers, accountId),
    /** What is handed to a browser and must come back unread and unchanged is sealed with this. */
    sealFor: (purpose: string) => new Seal(peppers, purpose),
    /** Tells the live socket when accounts may see or do something else than before. */
    onRightsChange: (listener: (change: RightsChange) => void) => onRightsChange.add(listener),
    rightsChanged(change: RightsChange): void {
      for (const listener of onRightsChange) listener(change)
    },
  }
}
