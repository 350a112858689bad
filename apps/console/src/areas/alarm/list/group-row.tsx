import type { EventGroup } from '@linewarden/contract'
import { placeNames } from '@linewarden/contract'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { clockTime } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { drawnKind, Mark } from '../../../ui/mark.tsx'
import { isolated, Place } from '../../../ui/place.tsx'
import type { ListRow } from './rows.ts'

/** Open events of one place, or of one alarm, as one row. */
export function GroupRow({
  ref,
  index,
  start,
  row,
  onUnfold,
}: {
  ref: Ref<HTMLDivElement>
  index: number
  start: number
  row: Extract<ListRow, { readonly kind: 'group' }>
  onUnfold: (id: string) => void
}) {
  const { t } = useTranslation('alarmList')
  const { group, unfolded } = row
  const kind = drawnKind(group.Kind)
  return (
    <div
      role="row"
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      className={`group-row ${kind}${group.Unacknowledged > 0 ? ' waits' : ''}`}
      style={{ transform: `translateY(${start}px)` }}
    >
      <span role="cell">
        <button
          type="button"
          aria-expanded={unfolded}
          aria-label={t('foldedUnder', { name: nameOf(group), count: group.Total })}
          onClick={() => onUnfold(row.id)}
        >
          <Icon name={unfolded ? 'down' : 'right'} />
          <Mark kind={kind} />
          <b>{group.Label ? localised(group.Label) : <Place names={placeNames(group.Where)} between=" › " />}</b>
          <span className="mute">
            {t(`priorities.${group.Priority}`)} · {t('total', { count: group.Total })}
          </span>
          {group.Unacknowledged > 0 && <b>{t('waiting', { count: group.Unacknowledged })}</b>}
          <span className="mute">{clockTime(group.LastRaisedAt)}</span>
        </button>
      </span>
    </div>
  )
}

const nameOf = ({ Label, Where }: EventGroup): string => (Label ? localised(Label) : isolated(placeNames(Where)))

/** That more is folded than is shown, or that it is on its way. */
export function RestRow({
  ref,
  index,
  start,
  count,
}: {
  ref: Ref<HTMLDivElement>
  index: number
  start: number
  count: number | null
}) {
  const { t } = useTranslation(['alarmList', 'app'])
  return (
    <div
      role="row"
      ref={ref}
      data-index={index}
      aria-rowindex={index + 2}
      className="rest-row mute"
      style={{ transform: `translateY(${start}px)` }}
    >
      <span role="cell">{count === null ? t('app:loading') : t('foldedRest', { count })}</span>
    </div>
  )
}
