import type { Client } from '@linewarden/client'
import type { SettingChange } from '@linewarden/contract'
import { analyseStatus, settingHistory, updateLine } from '@linewarden/contract'
import { expect, vi } from 'vitest'
import type { Stack } from './stack.ts'

export const pairs = (wanted: Record<string, number>) => Object.entries(wanted).map(([Key, Value]) => ({ Key, Value }))

/** A line of the board that these tests set. */
export const line = (LineNo: number) => ({ ControllerID: 'A-T1', LineNo })

/** Settings of that board: ordered by a person, followed to their end, and read from the equipment. */
export function settingOrders(stack: () => Stack) {
  const gateway = () => stack().fleet.gatewayOf('A-T1')

  const set = (
    LineNo: number,
    wanted: Record<string, number>,
    more: { OffUntil?: number; CommandID?: string } = {},
    by: Client = stack().client,
  ) =>
    by.call(updateLine, {
      body: { ...line(LineNo), Settings: pairs(wanted), CommandID: crypto.randomUUID(), Reason: '整定', ...more },
    })

  const history = async (LineNo: number): Promise<readonly SettingChange[]> =>
    (await stack().client.call(settingHistory, { body: { Target: line(LineNo), Size: 50 } })).items
  const ends = (LineNo: number, wanted: SettingChange['State']) =>
    vi.waitFor(async () => expect((await history(LineNo))[0]?.State).toBe(wanted), { interval: 50 })
  const settingState = async (LineNo: number, key: string) => {
    const { items } = await stack().client.call(analyseStatus, { body: { Targets: [line(LineNo)] } })
    const found = items[0]?.Settings.find(({ Key }) => Key === key)
    if (!found) throw new Error(`no ${key}`)
    return found
  }
  const inEquipment = (LineNo: number, key: string) => gateway().line('A-T1', LineNo).settings.get(key)
  return { gateway, set, history, ends, settingState, inEquipment }
}
