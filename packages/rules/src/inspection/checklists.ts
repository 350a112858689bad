import type { Text } from '@linewarden/equipment'
import {
  arcItems,
  fireDetectorItems,
  gasItems,
  infraredItems,
  smokeItems,
  standaloneItems,
  waterItems,
} from './detector-items.ts'
import type { ChecklistItem } from './item.ts'
import { gatewayItems, placeItems, powerControllerItems } from './place-items.ts'
import { breakerItems, coverItems, currentLimiterItems, protectionItems, thermographyItems } from './switchgear-items.ts'

/** What is looked at by default at every device of a family, at a gateway, or at a place. */
const lists: Readonly<Record<string, readonly ChecklistItem[]>> = {
  breaker3p: [...protectionItems, ...breakerItems, ...thermographyItems],
  breaker1p: [...protectionItems, ...breakerItems, ...thermographyItems],
  airSwitch3p: [...breakerItems, ...thermographyItems],
  airSwitch1p: [...breakerItems, ...thermographyItems],
  currentLimiter: [...currentLimiterItems, ...breakerItems, ...thermographyItems],
  powerController: [...powerControllerItems, ...breakerItems],
  arcDetector: [...arcItems, ...coverItems],
  detectorRs: [...fireDetectorItems, ...coverItems],
  detectorLte: [...fireDetectorItems, ...coverItems],
  smoke: smokeItems,
  nt8141: [...smokeItems, ...standaloneItems],
  nt8117: [...smokeItems, ...standaloneItems],
  tokenDetector: smokeItems,
  gas: gasItems,
  nt9141: gasItems,
  infrared: infraredItems,
  waterImmersion: waterItems,
  gateway: gatewayItems,
  place: placeItems,
}

/** Of what there are lists: families by their keys, `gateway`, `place`. */
export const checklistKeys: readonly string[] = Object.keys(lists)

/** The items that come with the platform; of a family that has none, nothing. */
export const checklistOf = (list: string): readonly ChecklistItem[] => lists[list] ?? []

export const checklistNames: Readonly<Record<'gateway' | 'place', Text>> = {
  gateway: { zh: '网关', en: 'Gateway' },
  place: { zh: '地点', en: 'Place' },
}

/** What a plan asks at a stop: the template without what was left out, and its own items. */
export const itemsAsked = (
  list: string,
  leftOut: ReadonlySet<string>,
  own: readonly (ChecklistItem & { readonly list: string })[],
): readonly ChecklistItem[] => [
  ...checklistOf(list).filter(({ id }) => !leftOut.has(id)),
  ...own.filter((item) => item.list === list),
]
