import type { HealthCheck, HealthCheckLine } from '@linewarden/contract'
import { maxHealthCheckLines } from '@linewarden/contract'
import type { Text } from '@linewarden/equipment'
import type { HealthMend } from '@linewarden/rules/health'
import { lineDrawer, lineHistory, lineSettings, lineTripAnalysis, paths } from '../../paths.ts'

/** A figure that was taken away or added, with its sign as people write it. */
export const signed = (value: number): string => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0')

/** A mean with one place; null: a dash, never 0. */
export const mean = (value: number | null): string => (value === null ? '–' : String(Number(value.toFixed(1))))

/** What cost a line most, in few words: the dearest three. */
export const mainCosts = (
  { Items }: Pick<HealthCheckLine, 'Items'>,
  localised: (text: Text) => string,
  between: string,
): string =>
  Items.toSorted((a, b) => b.Deduct - a.Deduct)
    .slice(0, 3)
    .map(({ Text, Deduct }) => `${localised(Text)} −${Deduct}`)
    .join(between)

/** Why a check came to nothing; null: it did not, or goes on. */
export function whyNothing({ State, Lines }: Pick<HealthCheck, 'State' | 'Lines'>): 'cancelled' | 'tooLarge' | 'failed' | null {
  if (State === 'cancelled') return 'cancelled'
  if (State !== 'failed') return null
  return Lines > maxHealthCheckLines ? 'tooLarge' : 'failed'
}

/** Where a deduction is mended. */
export function mendPath(mend: HealthMend, houseId: number, lineId: number): string {
  const at = `?at=line:${houseId}:${lineId}`
  switch (mend) {
    case 'settings':
      return lineSettings(houseId, lineId)
    case 'history':
      return lineHistory(houseId, lineId)
    case 'tripCause':
      return lineTripAnalysis(houseId, lineId)
    case 'devices':
      return lineDrawer(houseId, lineId)
    case 'selfTest':
      return `${paths.selfTests}${at}`
    case 'alarms':
      return `${paths.alarms}${at}`
    case 'warnings':
      return `${paths.warnings}${at}`
    case 'orders':
      return `${paths.workOrders}${at}`
  }
}

/** The sheet of a health check, as it is printed. */
export const healthCheckSheet = (houseId: number, testId: number): string =>
  `${paths.healthCheck}?at=house:${houseId}&check=${testId}&sheet=yes`
