import type { Call, Reply, Request } from '@linewarden/contract'
import type { PlantGateway, PlantLine, PlantProject } from '../live/plant.ts'

/** Who makes a call, as the session and the role say at this moment. */
export interface Actor {
  readonly accountId: string
  readonly sessionId: string
  readonly userName: string
  readonly nickName: string
  readonly platform: boolean
  readonly administrator: boolean
  /** Page permissions by key. */
  readonly privileges: readonly string[]
  /** Button permissions by key. */
  readonly buttons: readonly string[]
  /** A shared account reads and never operates. */
  readonly shared: boolean
  readonly hasControlPassword: boolean
  /** Where the request came from. */
  readonly address: string
  /** Whether this project is in the actor's tree. */
  sees(projectId: number): boolean
}

/** What the scope of the call found; outside the actor's tree it answers as if the thing did not exist. */
type Target<C extends Call> = C['scope']['kind'] extends 'line'
  ? { readonly line: PlantLine }
  : C['scope']['kind'] extends 'gateway'
    ? { readonly gateway: PlantGateway | null }
    : C['scope']['kind'] extends 'project'
      ? { readonly project: PlantProject | null }
      : unknown

type Caller<C extends Call> = C['permission'] extends 'public' ? { readonly address: string } : { readonly actor: Actor }

/** What a handler gets: the validated request, who asks, and what it touches. */
export type Context<C extends Call> = Request<C> & Target<C> & Caller<C>

export type Handler<C extends Call> = (context: Context<C>) => Promise<Reply<C>> | Reply<C>

/** Mounts one contract call. */
export type Serve = <C extends Call>(call: C, handler: Handler<C>) => void
