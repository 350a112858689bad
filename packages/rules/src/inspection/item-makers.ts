import type { Text } from '@linewarden/equipment'
import type { ChecklistItem } from './item.ts'

interface More {
  readonly source: Text
  readonly everyDays?: number
}

export const ours: Text = { zh: '本平台建议', en: 'Ours' }
/** Test button of residual-current devices: monthly. */
export const rcdInstallation: Text = { zh: 'GB/T 13955：每月试验一次', en: 'GB/T 13955: tested monthly' }
export const electricalMaintenance: Text = {
  zh: 'NFPA 70B：每年一次，状况差的每半年一次，负荷不低于 40%',
  en: 'NFPA 70B: yearly, half-yearly in poor condition, at 40 % load at least',
}
export const fireEquipment: Text = { zh: 'GB 25201：建筑消防设施的维护管理', en: 'GB 25201: maintenance of fire equipment' }

const plain = { min: null, max: null, unit: '', choices: [] } as const

const item = (id: string, zh: string, en: string, { source, everyDays = 0 }: More): Omit<ChecklistItem, 'kind'> => ({
  ...{ id, text: { zh, en }, ...plain, source, everyDays: everyDays === 0 ? null : everyDays },
})

/** In order, or not. */
export const yesNo = (id: string, zh: string, en: string, more: More = { source: ours }): ChecklistItem => ({
  ...item(id, zh, en, more),
  kind: 'yesNo',
})

/** A figure; without a bound on a side everything there is in order. */
export const figure = (
  id: string,
  zh: string,
  en: string,
  range: { readonly min?: number; readonly max?: number; readonly unit: string },
  more: More = { source: ours },
): ChecklistItem => ({
  ...item(id, zh, en, more),
  kind: 'number',
  min: range.min ?? null,
  max: range.max ?? null,
  unit: range.unit,
})

/** One of several; those marked with `!` are not in order. */
export const choice = (
  id: string,
  zh: string,
  en: string,
  choices: readonly (readonly [id: string, zh: string, en: string])[],
  more: More = { source: ours },
): ChecklistItem => ({
  ...item(id, zh, en, more),
  kind: 'choice',
  choices: choices.map(([key, zhText, enText]) => ({
    ...{ id: key.replace('!', ''), text: { zh: zhText, en: enText }, ok: !key.startsWith('!') },
  })),
})

/** How it looks, to be compared with the next time. */
export const picture = (id: string, zh: string, en: string, more: More = { source: ours }): ChecklistItem => ({
  ...item(id, zh, en, more),
  kind: 'photo',
})
