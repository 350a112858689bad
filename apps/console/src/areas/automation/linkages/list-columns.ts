import type { Linkage } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { civilZone } from '@linewarden/rules/automation'
import type { TFunction } from 'i18next'
import { span } from '../../../ui/format.ts'
import { momentText } from '../../../ui/moment-text.ts'
import type { TableColumn } from '../../../ui/table-column.ts'
import { conditionText, isStale, valueText } from './condition-facts.ts'

/** What the export of the list has of a linkage; instants on the clock of its project. */
export function linkageColumns(t: TFunction<['linkages', 'app']>): readonly TableColumn<Linkage>[] {
  const column = (key: string, head: string, text: (linkage: Linkage) => string | null): TableColumn<Linkage> => ({
    ...{ key, head, text, cell: text },
  })
  return [
    column('Name', t('name'), ({ Name }) => Name),
    column('HouseName', t('app:project'), ({ HouseName }) => HouseName),
    column('Mark', t('state'), ({ Mark, HaltedWhy }) =>
      HaltedWhy === null ? t(`marks.${Mark}`) : `${t(`marks.${Mark}`)}: ${t(`haltedWhy.${HaltedWhy}`)}`,
    ),
    column('Match', t('match'), ({ Match }) => t(Match === 'all' ? 'matchAll' : 'matchAny')),
    column('Conditions', t('condition'), ({ Conditions }) =>
      Conditions.map((each) => {
        const family = familyOf(each.Family)
        if (each.Gone) return `${conditionText({ ...each, LineName: each.LineName || t('goneLine') }, family)} [${t('gone')}]`
        const lasting = each.ForS > 0 ? ` ${t('forText', { time: span(each.ForS * 1_000) })}` : ''
        const last = `${valueText(each, family, each.Last)}${isStale(each) ? ` (${t('old')})` : ''}`
        return `${conditionText(each, family)}${lasting} [${t('now')} ${last}]`
      }).join('; '),
    ),
    column('Actions', t('action'), ({ Actions }) =>
      Actions.map(({ Kind, LineName, SceneName, Gone, DelayS }) =>
        [
          t(`kinds.${Kind}`),
          LineName ?? SceneName ?? '–',
          ...(Gone ? [`(${t('gone')})`] : []),
          ...(DelayS > 0 ? [t('delayed', { time: span(DelayS * 1_000) })] : []),
        ].join(' '),
      ).join('; '),
    ),
    column('LastRun', t('lastRun'), ({ LastRun, TimeZone }) =>
      LastRun ? momentText('second', civilZone(TimeZone).wallAt(LastRun.At)) : t('never'),
    ),
    column('OwnerName', t('owner'), ({ OwnerName, Orphan }) =>
      Orphan ? [...(OwnerName === null ? [] : [OwnerName]), t('orphan')].join(' · ') : OwnerName,
    ),
  ]
}
