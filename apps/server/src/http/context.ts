import type { Call, Reply, Request } from '@linewarden/contract'
import type { Actor } from '../access/actor.ts'
import type { PlantDevice, PlantGateway, PlantGroup, PlantLine, PlantProject } from '../plant/plant.ts'

/** What the scope of the call found; outside the actor's tenant it answers as if the thing did not exist. */
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

interface Anonymous {
  readonly address: string
  /** Whether somebody is at the console that asks; null: it does not say. */
  readonly attended: boolean | null
}

type Caller<C extends Call> = C['permission'] extends 'public' ? Anonymous : { readonly actor: Actor }

/** Aborted when whoever asked waits for the answer no more. */
interface Answering {
  readonly gone: AbortSignal
}

/** What a handler gets: the validated request, who asks, and what it touches. */
export type Context<C extends Call> = Request<C> & Target<C> & Caller<C> & Answering

export type Handler<C extends Call> = (context: Context<C>) => Promise<Reply<C>> | Reply<C>

/** Mounts one contract call. */
export type Serve = <C extends Call>(call: C, handler: Handler<C>) => void
