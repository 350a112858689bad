import type { CommandAction } from '@linewarden/rules/control'
import type { PlantGateway } from '../../plant/plant.ts'

/** An order to equipment, on its way to the wire. */
export interface OutgoingCommand {
  readonly gateway: PlantGateway
  /** As the gateway calls the device. */
  readonly wireId: string
  readonly lineNo: number
  readonly commandId: string
  readonly action: CommandAction
  /** What a `set` command sets, by key. */
  readonly settings: Readonly<Record<string, number>> | null
  /** Unix ms. */
  readonly issuedAt: number
  readonly deadline: number
  readonly fence: number
}

/** An order to the gateway itself. */
export interface IntervalCommand extends Omit<OutgoingCommand, 'wireId' | 'lineNo' | 'action' | 'settings'> {
  readonly seconds: number
}
