import type { Containing, LineOverride, Request } from '@linewarden/contract'
import { type operateLine, querySwitch } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../app/net/use-call.ts'
import { paths } from '../../paths.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { projectMoment } from '../../plant/project-moment.ts'
import { addTexts } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import type { Operation } from './operation-words.ts'
import { overriddenBy, overrideText } from './override-text.ts'
import { timedLines } from './timed-texts.ts'
import { useKeepUntil } from './use-keep-until.tsx'
import './timed-lines.css'

addTexts({ timedLines })

type Override = NonNullable<Request<typeof operateLine>['body']['Override']>

/** What the timers of a line are to do once it is switched by hand. */
export interface TimedSwitch {
  /** Null where nothing acts on the line by itself. */
  readonly field: ReactNode
  /** True when it can be ordered. When not, the field says what is missing. */
  readonly check: () => boolean
  /** What the order's body carries. */
  readonly body: () => { readonly Override?: Override }
}

/** Asks before an order goes out what acts on its line by itself: a close needs a word on that, a trip may have one. */
export function useTimedSwitch(lineRef: LineRef, action: Operation): TimedSwitch {
  const { device, line, project } = lineRef
  const { t } = useTranslation('timedLines')
  const isSwitch = action === 'trip' || action === 'close'
  const query = { ControllerID: device.ControllerID, LineNo: line.LineNo }
  const { data } = useCall(querySwitch, { query }, { enabled: isSwitch, refetchInterval: 5_000 })
  const [kind, setKind] = useState<Override['Kind'] | null>(action === 'trip' ? 'stay' : null)
  const keep = useKeepUntil([lineRef])
  const [checked, setChecked] = useState(false)
  const group = useId()
  const items = isSwitch ? (data?.items ?? []) : []
  const timers = items.filter(({ Kind, Enabled }) => Kind === 'timer' && Enabled)
  const blocking = action === 'close' ? items.filter(({ Blocks }) => Blocks) : []
  const strict = blocking.some(({ Overridable }) => !Overridable)
  const asks = action === 'close' ? blocking.length > 0 && !strict : timers.length > 0
  const next = timers.find(({ NextAt, NextAction }) => NextAt !== null && NextAction !== null)
  const whenOf = ({ NextAt, NextAction }: Containing) => ({
    when: projectMoment(NextAt ?? 0, project.TimeZone),
    action: NextAction ? t(`actions.${NextAction}`) : '',
  })
  const override = isSwitch ? (data?.about.Override ?? null) : null
  const isClosedByLinkage = items.some((each) => each.Kind === 'linkage' && each.Enabled && each.NextAction === 'close')
  const choices = choicesOf(action, next ? whenOf(next) : null, t)
  // Of a line that nothing acts on by itself there is nothing to hold.
  const isOverridden = override !== null && (timers.length > 0 || isClosedByLinkage)
  const field = (timers.length > 0 || blocking.length > 0 || isOverridden) && (
    <div className="timed-switch">
      <p className="acts">
        {timers.length > 0 && <b>{t('actsOn')}</b>}
        {items.map((each) => (
          <span key={`${each.Kind}${each.ID}`}>{sentence(each)}</span>
        ))}
      </p>
      {isOverridden && <OverrideNow override={override} isTimed={timers.length > 0} timeZone={project.TimeZone} />}
      {strict && (
        <p className="caution">
          <Mark kind="warning" />
          {t('strict')}
        </p>
      )}
      {asks && (
        <fieldset>
          <legend>{t(action === 'close' ? 'afterClose' : 'afterTrip')}</legend>
          {choices.map(([value, label]) => (
            <label key={value}>
              <input
                type="radio"
                name={group}
                checked={kind === value}
                aria-invalid={(checked && kind === null) || undefined}
                onChange={() => setKind(value)}
              />
              {label}
            </label>
          ))}
          {checked && kind === null && <small role="alert">{t('choose')}</small>}
        </fieldset>
      )}
      {asks && kind === 'until' && keep.field}
      {timers.length > 0 && (
        <Link className="btn small quiet" to={`${paths.timers}?at=house:${project.HouseID}`}>
          {t('openTimers')}
        </Link>
      )}
    </div>
  )

  return {
    field: field || null,
    check: () => {
      setChecked(true)
      return !asks || (kind === 'until' ? keep.check() : kind !== null)
    },
    body: () =>
      !asks || kind === null || kind === 'stay'
        ? {}
        : { Override: kind === 'until' ? { Kind: kind, Until: keep.at ?? 0 } : { Kind: kind } },
  }

  function sentence(each: Containing): string | null {
    if (each.Kind === 'scene') return each.Blocks && action === 'close' ? t('sceneRuns', { name: each.Name }) : null
    if (each.Kind === 'linkage') return each.NextAction && t(`linkage.${each.NextAction}`, { name: each.Name })
    return each.NextAt === null ? t('actsNever', { name: each.Name }) : t('actsAt', { name: each.Name, ...whenOf(each) })
  }
}

/** Who keeps the timers of the line from it now, before somebody switches it. */
function OverrideNow({ override, isTimed, timeZone }: { override: LineOverride; isTimed: boolean; timeZone: string }) {
  const { t } = useTranslation('timedLines')
  return (
    <p className="acts">
      <b>{t('override')}</b>
      <span>{overrideText(override, timeZone, isTimed)}</span>
      <small className="mute">{overriddenBy(override, timeZone)}</small>
      {override.Reason !== '' && <small className="mute">{t('reasonOf', { reason: override.Reason })}</small>}
    </p>
  )
}

/** What may be said, in words; of a trip what holds by itself comes first. */
function choicesOf(
  action: Operation,
  next: { readonly when: string; readonly action: string } | null,
  t: TFunction<'timedLines'>,
): readonly (readonly [Override['Kind'], string])[] {
  if (action === 'close')
    return [
      ['next', next ? t('keepUntilNext', next) : t('keepUntilNone')],
      ['until', t('keepUntil')],
    ]
  return [['stay', t('stayOpen')], ...(next ? [['next', t('openUntilNext', next)] as const] : []), ['until', t('openUntil')]]
}
