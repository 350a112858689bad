import type { Scene } from '@linewarden/contract'
import { civilZone } from '@linewarden/rules/automation'
import type { TFunction } from 'i18next'
import { momentText } from '../../../ui/moment-text.ts'
import type { TableColumn } from '../../../ui/table-column.ts'
import type { ZoneOf } from '../parts/use-zones.ts'
import { blockReasonsOf } from './scene-facts.ts'

/** What the export of the list has of a scene; instants on the clock of its project. */
export function sceneColumns(t: TFunction<['scenes', 'automation', 'app']>, zoneOf: ZoneOf): readonly TableColumn<Scene>[] {
  const column = (key: string, head: string, text: (scene: Scene) => string | number | null): TableColumn<Scene> => ({
    ...{ key, head, text, cell: text },
  })
  const moment = (at: number, houseId: number) => momentText('second', civilZone(zoneOf(houseId)).wallAt(at))
  return [
    column('Name', t('name'), ({ Name }) => Name),
    column('HouseName', t('app:project'), ({ HouseName }) => HouseName),
    column('Enabled', t('state'), ({ Enabled, Whole }) =>
      [t(Enabled ? 'app:enabled' : 'app:disabled'), ...(Whole ? [] : [t('partly')])].join(' · '),
    ),
    column('Total', t('lines'), ({ Total }) => Total),
    column('InForce', t('inForce'), ({ InForce }) => InForce),
    column('Mismatched', t('mismatch'), ({ Mismatched }) => Mismatched),
    column('Unknown', t('unknown'), ({ Unknown }) => Unknown),
    column('Items', t('order'), ({ Items }) => {
      const trips = Items.filter(({ Action }) => Action === 'trip')
      const closes = Items.filter(({ Action }) => Action === 'close').toSorted((one, other) => one.Order - other.Order)
      return [...trips, ...closes].map(({ Action, LineName }) => `${t(`does.${Action}`)} ${LineName}`).join('; ')
    }),
    column('Blocked', t('blockedLines'), ({ Items }) =>
      Items.filter((item) => blockReasonsOf(item).length > 0)
        .map(({ LineName }) => LineName)
        .join('; '),
    ),
    column('LastRun', t('lastRuns'), ({ LastRun, HouseID }) =>
      LastRun ? `${moment(LastRun.At, HouseID)} ${t(`automation:runStates.${LastRun.State}`)}` : t('neverRun'),
    ),
    column('OwnerName', t('owners'), ({ OwnerName, Orphan }) =>
      [OwnerName, ...(Orphan ? [t('orphan')] : [])].filter(Boolean).join(' · '),
    ),
  ]
}
