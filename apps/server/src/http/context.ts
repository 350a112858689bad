import type { Call, Reply, Request } from '@linewarden/contract'
import type { PlantDevice, PlantGateway, PlantGroup, PlantLine, PlantProject } from '../live/plant.ts'
import type { Sight } from '../store/seen-by.ts'

/** Who makes a call, as the session and the role say at this moment. */
export interface Actor {
  readonly accountId: string
  readonly sessionId: string
  /** When the password was last given, as far as the token that signed knows of it; null: never, or no token signed. */
  readonly provedAt: number | null
  readonly userName: string
  readonly nickName: string
  readonly kind: 'platform' | 'project' | 'sub' | 'shared'
  /** The project administrator in whose tree this account stands, and whose things it makes; null: the installation's own. */
  readonly tree: string | null
  readonly platform: boolean
  readonly administrator: boolean
  /** Page permissions by key. */
  readonly privileges: readonly string[]
  /** Button permissions by key. */
  readonly buttons: readonly string[]
  /** A shared account reads and never operates. */
  readonly shared: boolean
  readonly hasControlPassword: boolean
  /** This installation asks a second factor of the account, and it has none yet. */
  readonly mustEnrol: boolean
  /** Somebody else gave the password: it is changed before anything else. */
  readonly mustChangePassword: boolean
  /** Where the request came from. */
  readonly address: string
  /** Whether the actor sees this project whole. Somebody who was given single gateways of it does not. */
  sees(projectId: number): boolean
  /** Whether the actor sees at least one gateway of it: then its name, and of its equipment what `seesGateway` says. */
  seesPart(projectId: number): boolean
  seesGateway(gateway: Pick<PlantGateway, 'id' | 'project'>): boolean
  /** The same as the database is told: lists are read under it, see store/seen-by.ts. */
  readonly sight: Sight
}

/** What the scope of the call found; outside the actor's tree it answers as if the thing did not exist. */
type Target<C extends Call> = C['scope']['kind'] extends 'line'
  ? { readonly line: PlantLine }
  : C['scope']['kind'] extends 'lines'
    ? { readonly lines: readonly PlantLine[] }
    : C['scope']['kind'] extends 'group'
      ? { readonly group: Found<C, PlantGroup> }
      : C['scope']['kind'] extends 'projects'
        ? { readonly projects: readonly PlantProject[]; readonly group: PlantGroup }
        : C['scope']['kind'] extends 'gateways'
          ? { readonly gateways: readonly PlantGateway[]; readonly project: PlantProject }
          : C['scope']['kind'] extends 'gateway'
            ? { readonly gateway: Found<C, PlantGateway> }
            : C['scope']['kind'] extends 'project'
              ? { readonly project: Found<C, PlantProject> }
              : C['scope']['kind'] extends 'controller' | 'device'
                ? { readonly device: PlantDevice }
                : unknown

/** Null only where the call may leave the id out. */
type Found<C extends Call, T> = C['scope'] extends { readonly optional: true } ? T | null : T

interface Stranger {
  readonly address: string
  /** Whether somebody is at the console that asks; null: it does not say. */
  readonly attended: boolean | null
}

type Caller<C extends Call> = C['permission'] extends 'public' ? Stranger : { readonly actor: Actor }

/** What a handler gets: the validated request, who asks, and what it touches. */
export type Context<C extends Call> = Request<C> & Target<C> & Caller<C>

export type Handler<C extends Call> = (context: Context<C>) => Promise<Reply<C>> | Reply<C>

/** Mounts one contract call. */
export type Serve = <C extends Call>(call: C, handler: Handler<C>) => void
