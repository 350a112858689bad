import type { Text } from '@linewarden/equipment'
import { localised } from '../../ui/i18n.ts'

/** What the grids are called whose factors come with the product; whatever else is typed is its own name. */
const names: Readonly<Record<string, Text>> = {
  CN: { zh: '全国', en: 'China' },
  'CN-North': { zh: '华北', en: 'North China' },
  'CN-NorthEast': { zh: '东北', en: 'North-East China' },
  'CN-East': { zh: '华东', en: 'East China' },
  'CN-Central': { zh: '华中', en: 'Central China' },
  'CN-NorthWest': { zh: '西北', en: 'North-West China' },
}

export const regionName = (region: string): string => (Object.hasOwn(names, region) ? localised(names[region] as Text) : region)
