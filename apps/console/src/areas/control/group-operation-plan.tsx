import type { PermitCondition } from '@linewarden/contract'
import type { GroupAction } from '@linewarden/rules/control'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { TextField } from '../../ui/fields.tsx'
import { span } from '../../ui/format.ts'
import { groupDurationMs, maxStagger, minStagger, staggerMsOf } from './group-operation-duration.ts'
import { BlockReasons } from './permit-box.tsx'

/** What will happen when it starts: to how many lines, how fast, and what becomes of those that something stands against. */
export function GroupOperationPlan({
  action,
  single,
  blockReasons,
  starting,
  blocked,
  despite,
  onDespite,
  stagger,
  onStagger,
}: {
  action: GroupAction
  /** It is about this one line only. */
  single: LineRef | null
  blockReasons: ReadonlyMap<number, readonly PermitCondition[]>
  starting: readonly LineRef[]
  /** Chosen, and something stands against it or the server has not said. */
  blocked: readonly LineRef[]
  despite: boolean
  onDespite: (despite: boolean) => void
  stagger: string
  onStagger: (stagger: string) => void
}) {
  const { t } = useTranslation('operations')
  const staggerMs = staggerMsOf(stagger)
  const name = single?.line.LineName ?? ''
  const conditions = (single && blockReasons.get(single.line.LineID)) ?? []
  const wait =
    staggerMs === null || action === 'trip'
      ? 0
      : groupDurationMs(
          starting.map(({ project }) => project.HouseID),
          staggerMs,
        )
  return (
    <>
      {single && conditions.length > 0 && (
        <div className="permit">
          <BlockReasons conditions={conditions} />
        </div>
      )}
      {!single && blocked.length > 0 && (
        <div className="group-blocked">
          <p>{despite ? t('blockedIncluded', { count: blocked.length }) : t('blockedLeftOut', { count: blocked.length })}</p>
          <label className="option">
            <input type="checkbox" checked={despite} onChange={(event) => onDespite(event.target.checked)} />
            {t('despite')}
          </label>
        </div>
      )}
      {action !== 'trip' && !single && (
        <div className="group-pause">
          <TextField
            label={t('stagger')}
            inputMode="decimal"
            unit={t('secondsUnit')}
            maxLength={4}
            value={stagger}
            onChange={onStagger}
            error={staggerMs === null ? t('staggerWrong') : null}
            hint={t('staggerRange', { least: minStagger, most: maxStagger })}
          />
        </div>
      )}
      {starting.length === 0 ? (
        blocked.length === 0 && <p className="mute">{t('noneChosen')}</p>
      ) : (
        <p className="group-what">
          {single ? t('testWhat', { name }) : t(`groupWhat.${action}`, { count: starting.length })}
          {wait > 0 && <small>{t('lasts', { span: span(wait) })}</small>}
        </p>
      )}
      {action === 'trip' && <p className="mute">{t('tripFree')}</p>}
      {action !== 'trip' && starting.length > 1 && <p className="mute">{t('goesOn')}</p>}
    </>
  )
}
