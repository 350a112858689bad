import type { GatewayUpgradeRefusal } from '@linewarden/rules/firmware'
import { gatewayUpgradeRefusals } from '@linewarden/rules/firmware'
import type { PlantGateway } from '../../plant/plant.ts'

/** Something a gateway says about an upgrade. */
export interface UpgradeMessage {
  readonly gateway: PlantGateway
  readonly upgradeId: string
  readonly at: number
  readonly content:
    | { readonly kind: 'asks'; readonly offset: number; readonly length: number }
    | { readonly kind: 'ready' }
    | { readonly kind: 'refused'; readonly reason: GatewayUpgradeRefusal }
}

/** The most a gateway gets for one question. */
export const maxPieceBytes = 65_536
const maxMessageBytes = 1_024

/**
 * Reads `linewarden/v1/{gateway}/upgrade`: `{ "id", "offset", "length" }` asks for bytes, `{ "id", "state": "ready" }` holds and has checked
 * all of them, `{ "id", "state": "refused", "reason" }` does not take it. A string says what is wrong with it.
 */
export function readUpgradeMessage(gateway: PlantGateway, bytes: Uint8Array, at: number): UpgradeMessage | string {
  if (bytes.length > maxMessageBytes) return `${bytes.length} bytes; at most ${maxMessageBytes} are taken`
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return 'not JSON'
  }
  if (typeof parsed !== 'object' || parsed === null) return 'an object is needed'
  const { id, state, offset, length, reason } = parsed as Record<string, unknown>
  if (typeof id !== 'string' || !/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(id)) return '"id" must be that of an offer'
  const message = (content: UpgradeMessage['content']): UpgradeMessage => ({ gateway, upgradeId: id, at, content })
  if (state === 'ready') return message({ kind: 'ready' })
  if (state === 'refused') {
    const known = gatewayUpgradeRefusals.find((each) => each === reason)
    return known ? message({ kind: 'refused', reason: known }) : `"reason" must be one of ${gatewayUpgradeRefusals.join(', ')}`
  }
  if (state !== undefined) return '"state" must be "ready" or "refused"'
  if (!isCount(offset) || !isCount(length) || length < 1 || length > maxPieceBytes)
    return `"offset" and "length" must be whole numbers, and "length" from 1 to ${maxPieceBytes}`
  return message({ kind: 'asks', offset, length })
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0x7fff_ffff
