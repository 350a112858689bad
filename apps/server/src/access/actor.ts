import type { PlantGateway } from '../plant/plant.ts'
import type { SessionKey } from '../store/account/session.ts'
import type { AccessScope } from '../store/core/row-security.ts'

/** By which account somebody is here, also a machine: what is counted against it is counted once, whatever its keys are called. */
export const accountNameOf = ({ userName, key }: Pick<Actor, 'userName' | 'key'>): string => key?.makerName ?? userName

/** Who makes a call, as the session and the role say at this moment. */
export interface Actor {
  readonly accountId: string
  readonly sessionId: string
  /** When the password was last given, as far as the token that signed knows of it; null: never, or no token signed. */
  readonly provedAt: number | null
  /** The name of the account; of a machine, with that of its key: so it stands in the log. */
  readonly userName: string
  readonly nickName: string
  readonly kind: 'platform' | 'project' | 'sub' | 'shared' | 'screen'
  /** The project administrator in whose tenant this account stands, and whose things it makes; null: the installation's own. */
  readonly tenant: string | null
  readonly platform: boolean
  readonly administrator: boolean
  /** Page permissions by key. */
  readonly privileges: readonly string[]
  /** Button permissions by key. */
  readonly buttons: readonly string[]
  /** A shared account reads and never operates. */
  readonly shared: boolean
  /** A wall that a link opened: it makes the calls that name it, and no other. */
  readonly screen?: boolean
  readonly hasControlPassword: boolean
  /** This installation asks a second factor of the account, and it has none yet. */
  readonly mustEnrol: boolean
  /** Somebody else gave the password: it is changed before anything else. */
  readonly mustChangePassword: boolean
  /** The API key by which a machine came in; null: a person. */
  readonly key: (SessionKey & { readonly makerName: string }) | null
  /** Where the request came from. */
  readonly address: string
  /** Whether the actor sees this project whole. Somebody who was given single gateways of it does not. */
  sees(projectId: number): boolean
  /** Whether the actor sees at least one gateway of it: then its name, and of its equipment what `seesGateway` says. */
  seesPart(projectId: number): boolean
  seesGateway(gateway: Pick<PlantGateway, 'id' | 'project'>): boolean
  /** The same as the database is told: lists are read under it, see store/core/row-security.ts. */
  readonly scope: AccessScope
}
