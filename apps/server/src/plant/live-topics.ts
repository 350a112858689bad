import type { Call, LiveMessage } from '@linewarden/contract'
import { deviceLinkOf, linkOf } from './link-record.ts'
import type { PlantDevice, PlantGateway } from './plant.ts'

/** Somebody at the live socket, as far as what they see decides how they are notified of it. */
export interface LiveViewer {
  /** The whole project. */
  sees(projectId: number): boolean
  seesGateway(gateway: Pick<PlantGateway, 'id' | 'project'>): boolean
}

/** What is published live of something that was committed, and to whom: whoever sees it and may ask for it. */
export interface LiveTopic {
  readonly to:
    | { readonly gateway: PlantGateway }
    /** Whoever sees the whole project: of what is no longer in the plant. */
    | { readonly project: number }
    /** Whoever sees any of the project. */
    | { readonly partOf: number }
    | { readonly account: string }
  /** The call that answers the same, whose permission is needed; null: none beside seeing it. */
  readonly needs: Pick<Call, 'permission' | 'alsoFor' | 'onWalls'> | null
  /** A function where each viewer is told what they see of it. */
  readonly message: LiveMessage | ((viewer: LiveViewer) => LiveMessage)
}

/** Equipment that was taken out is seen by whoever sees its project whole. */
export const toEquipment = (gateway: PlantGateway | undefined, project: number): LiveTopic['to'] =>
  gateway ? { gateway } : { project }

/** What a project is made of has changed: it is to be fetched again. */
export const treeChanged = (projectId: number): LiveTopic => ({ to: { partOf: projectId }, needs: null, message: { t: 'tree' } })

export const linkChanged = (gateway: PlantGateway): LiveTopic => ({
  to: { gateway },
  needs: null,
  message: { t: 'gateway', link: linkOf(gateway) },
})

/** Devices that came or went, also with their gateway. */
export const devicesChanged = (devices: Iterable<PlantDevice>): LiveTopic[] =>
  [...Map.groupBy(devices, ({ gateway }) => gateway)].map(([gateway, own]) => ({
    to: { gateway },
    needs: null,
    message: { t: 'devices', links: own.map(deviceLinkOf) },
  }))
