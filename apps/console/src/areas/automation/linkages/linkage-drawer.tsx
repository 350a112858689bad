import type { Linkage } from '@linewarden/contract'
import { getLinkage, linkageLog } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import { useMayOpen } from '../../../app/session/use-may.ts'
import { paths } from '../../../paths.ts'
import { LineTag } from '../../../plant/tag-mark.tsx'
import { Drawer } from '../../../ui/drawer.tsx'
import { span } from '../../../ui/format.ts'
import { Icon } from '../../../ui/icon.tsx'
import { usePhone } from '../../../ui/use-media.ts'
import { useNow } from '../../../ui/use-now.ts'
import { loggedWhen } from '../parts/civil-text.ts'
import { SceneIcon } from '../scenes/scene-icon.tsx'
import { barShare, conditionText, isStale, namesGone, valueText } from './condition-facts.ts'
import { LimitBar } from './condition-rows.tsx'
import { hasRelease, releasedAt } from './form-values.ts'
import { About } from './linkage-list.tsx'
import { ModeWord } from './mode-mark.tsx'
import { RunDialog } from './run-dialog.tsx'
import { RunProgress } from './run-progress.tsx'
import { SimulationPart } from './simulation-part.tsx'
import type { Act } from './switch-dialog.tsx'
import { asksPassword, SwitchDialog } from './switch-dialog.tsx'
import { useOutsideHours } from './use-outside-hours.ts'
import { useWhyNotRun } from './use-why-not-run.ts'
import { useNoLinkages } from './why-no-change.ts'
import { useWhy } from './why-text.ts'
import './linkage-drawer.css'

const everyMs = 5_000

/** One linkage: where its conditions stand, what it does and within which limits, what it did, and when it would have fired. */
export function LinkageDrawer({ linkageId, onEdit, onClose }: { linkageId: number; onEdit: () => void; onClose: () => void }) {
  const { t } = useTranslation('linkages')
  const [act, setAct] = useState<Act | null>(null)
  const [isGone, setGone] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const [followed, setFollowed] = useState<string | null>(null)
  // What is about to be removed is not asked for again.
  const query = useCall(
    getLinkage,
    { params: { LinkageID: linkageId } },
    { refetchInterval: act === null && !isRunning ? everyMs : false, enabled: act !== 'remove' && !isGone },
  )
  const { data: linkage } = query
  const leave = () => {
    setGone(true)
    onClose()
  }
  if (!linkage)
    return (
      <Drawer label={t('details')} title={<h2>{t('details')}</h2>} onClose={onClose}>
        <Unloaded query={query} />
      </Drawer>
    )
  const { Name, Mark, OwnerName, Version } = linkage
  return (
    <Drawer
      label={t('details')}
      title={
        <>
          <h2>
            <bdi>{Name}</bdi>
          </h2>
          <ModeWord mark={Mark} />
        </>
      }
      subtitle={
        <p className="mute">
          <About linkage={linkage} />
          {' · '}
          {OwnerName === null
            ? t('subtitleNoOwner', { version: Version })
            : t('subtitle', { owner: OwnerName, version: Version })}
          {linkage.Orphan && <b className="orphan"> · {t('orphan')}</b>}
        </p>
      }
      foot={<Foot linkage={linkage} act={act} onAct={setAct} onRun={() => setRunning(true)} onEdit={onEdit} onGone={leave} />}
      onClose={onClose}
    >
      <div className="drawer-parts linkage-drawer">
        <Unloaded query={query} />
        {followed ? (
          <RunProgress linkage={linkage} executionId={followed} onBack={() => setFollowed(null)} />
        ) : (
          <>
            <AlreadyMet linkage={linkage} onRun={() => setRunning(true)} />
            <Conditions linkage={linkage} />
            <Actions linkage={linkage} />
            <Firings linkage={linkage} />
            {!namesGone(linkage) && <SimulationPart linkage={linkage} />}
          </>
        )}
      </div>
      {isRunning && (
        <RunDialog
          linkageId={linkageId}
          name={Name}
          onStarted={(executionId) => {
            setRunning(false)
            setFollowed(executionId)
          }}
          onClose={() => setRunning(false)}
        />
      )}
    </Drawer>
  )
}

/** What is true when it is enabled or changed does not fire by itself: whoever wants it done has it run. */
function AlreadyMet({ linkage, onRun }: { linkage: Linkage; onRun: () => void }) {
  const { t } = useTranslation('linkages')
  const reason = useWhyNotRun(linkage)
  const { Mark, State, LastRun, ChangedAt } = linkage
  if (Mark !== 'live' || State !== 'true' || (LastRun !== null && LastRun.At >= ChangedAt)) return null
  return (
    <div className="list-notice" role="status">
      <Icon name="clock" />
      <span>{t('alreadyMet')}</span>
      <ReasonedButton className="btn small" reason={reason} onClick={onRun}>
        {t('runNow')}
      </ReasonedButton>
    </div>
  )
}

function Conditions({ linkage }: { linkage: Linkage }) {
  const { t } = useTranslation('linkages')
  const now = useNow()
  const isOutside = useOutsideHours(linkage)
  const { Conditions: conditions, Match, ActiveHours } = linkage
  return (
    <section className="part" aria-label={t('conditions')}>
      <h3>
        {t('conditions')}
        {conditions.length > 1 && <small>{t(Match === 'all' ? 'matchAll' : 'matchAny')}</small>}
      </h3>
      <ul className="condition-list">
        {conditions.map((condition) => {
          const { Kind, Key, LineID, Op, Value, Release, ForS, State, Since, At, Gone } = condition
          const family = familyOf(condition.Family)
          const share = isOutside ? null : barShare(condition)
          return (
            <li key={`${LineID} ${Kind} ${Key} ${Op} ${Value}`}>
              <span className="two-lines">
                <span>
                  <bdi>{conditionText({ ...condition, LineName: condition.LineName || t('goneLine') }, family)}</bdi>{' '}
                  <LineTag lineId={LineID} />
                </span>
                <small>
                  {[
                    ...(ForS > 0 ? [t('forText', { time: span(ForS * 1_000) })] : []),
                    ...(hasRelease(Kind, Op) && Release > 0
                      ? [t('releasedAt', { value: valueText(condition, family, releasedAt(Op, Value, Release)) })]
                      : []),
                  ].join(' · ')}
                </small>
              </span>
              <span className="two-lines end">
                <b className={State === 'true' ? 'met' : undefined}>
                  {Gone && <i className="linkage-gone">{t('gone')}</i>}
                  {t(State === 'true' ? 'trueNow' : State === 'false' ? 'falseNow' : 'unknownNow')}
                  {State === 'true' && Since !== null && <small> {t('since', { time: span(now - Since) })}</small>}
                </b>
                <small>
                  {valueText(condition, family, condition.Last)}
                  {At !== null && ` · ${span(now - At)}`}
                  {isStale(condition) && ` · ${t('old')}`}
                </small>
              </span>
              {share !== null && <LimitBar share={share} isStale={isStale(condition)} />}
            </li>
          )
        })}
      </ul>
      <p className="mute">
        {t('hours')}{' '}
        {ActiveHours.length === 0
          ? t('always')
          : ActiveHours.map(({ Days, From, To }) => `${daysText(t, Days)} ${From}–${To}`).join(', ')}
        {isOutside && ` · ${t('outsideHours')}`}
        {' · '}
        {t('unknownRule')}
      </p>
    </section>
  )
}

/** Days of the week, those in a row as one stretch. */
function daysText(t: ReturnType<typeof useTranslation<'linkages'>>['t'], days: number): string {
  const on = [0, 1, 2, 3, 4, 5, 6].filter((day) => days & (1 << day))
  const stretches: number[][] = []
  for (const day of on) {
    const last = stretches.at(-1)
    if (last && last.at(-1) === day - 1) last.push(day)
    else stretches.push([day])
  }
  return stretches
    .map((each) =>
      [each[0], each.length > 1 ? each.at(-1) : undefined].flatMap((day) => (day === undefined ? [] : t(`weekday${day as 0}`))),
    )
    .map((ends) => ends.join('–'))
    .join(' ')
}

function Actions({ linkage }: { linkage: Linkage }) {
  const { t } = useTranslation('linkages')
  const { Actions: actions, CooldownS, MaxPerHour, MaxPerDay, MayClose } = linkage
  return (
    <section className="part" aria-label={t('actions')}>
      <h3>{t('actions')}</h3>
      <ul className="action-list">
        {actions.map(({ Kind, LineID, SceneID, LineName, SceneName, Gone, DelayS, Order }) => (
          <li key={`${Kind} ${LineID} ${SceneID}`}>
            <b>{t(`kinds.${Kind}`)}</b>{' '}
            <bdi>{LineName ?? SceneName ?? (Gone ? t(Kind === 'scene' ? 'goneScene' : 'goneLine') : '–')}</bdi>{' '}
            <LineTag lineId={LineID} />
            {Gone && <i className="linkage-gone">{t('gone')}</i>}
            {Order && (
              <small>
                {' '}
                <bdi>
                  {[Order.Title, t(`priorities.${Order.Priority}`), Order.PersonInCharge?.Name ?? t('nobodyYet')]
                    .filter((part) => part !== '')
                    .join(' · ')}
                </bdi>
              </small>
            )}
            {DelayS > 0 && <small> {t('delayed', { time: span(DelayS * 1_000) })}</small>}
          </li>
        ))}
      </ul>
      <p className="mute">
        {[
          `${t('limitCooldown')} ${span(CooldownS * 1_000)}`,
          t('limitHour', { count: MaxPerHour }),
          t('limitDay', { count: MaxPerDay }),
          ...(MayClose ? [t('closesAllowed')] : []),
        ].join(' · ')}
      </p>
    </section>
  )
}

const shownFirings = 5

function Firings({ linkage: { LinkageID, TimeZone } }: { linkage: Linkage }) {
  const { t } = useTranslation(['linkages', 'automation'])
  const query = useCall(linkageLog, { body: { LinkageID, Near: true, Size: shownFirings } }, { refetchInterval: everyMs })
  const mayOpenLog = useMayOpen(paths.linkageLog)
  const why = useWhy()
  const entries = query.data?.items ?? []
  return (
    <section className="part" aria-label={t('firings')}>
      <h3>
        {t('firings')}
        {mayOpenLog && (
          <Link className="text-link" to={`${paths.linkageLog}?linkage=${LinkageID}&which=both`}>
            {t('allFirings')}
          </Link>
        )}
      </h3>
      <Unloaded query={query} />
      {query.data && entries.length === 0 && <p className="mute">{t('noFirings')}</p>}
      <ul className="firing-list">
        {entries.map((entry) => (
          <li key={`${entry.RunID} ${entry.At} ${entry.Why}`} className={entry.Mode === 'shadow' ? 'shadow' : undefined}>
            {entry.RunID !== null && mayOpenLog ? (
              <Link className="text-link" to={`${paths.linkageLog}?run=${entry.RunID}`}>
                {loggedWhen(entry.At, TimeZone)}
              </Link>
            ) : (
              <span>{loggedWhen(entry.At, TimeZone)}</span>
            )}
            <span>
              {entry.State
                ? t(`automation:runStates.${entry.State}`)
                : t('near', { why: entry.Why === null ? '' : why(entry.Why) })}
              {entry.Mode === 'shadow' && <small> {t('marks.shadow')}</small>}
            </span>
            <small>
              {entry.Conditions.map((each) => {
                const family = each.Family === null ? null : familyOf(each.Family)
                return `${each.LineName ?? ''} ${valueText(each, family, each.Value)}`
              }).join(' · ')}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Foot({
  linkage,
  act,
  onAct,
  onRun,
  onEdit,
  onGone,
}: {
  linkage: Linkage
  /** What somebody is being asked about. */
  act: Act | null
  onAct: (act: Act | null) => void
  onRun: () => void
  onEdit: () => void
  onGone: () => void
}) {
  const { t } = useTranslation('linkages')
  const reason = useNoLinkages()(linkage)
  const whyNotRun = useWhyNotRun(linkage)
  const isNarrow = usePhone()
  const { Enabled, Mark, Mode } = linkage
  const button = (which: Act, word: string) => (
    <ReasonedButton
      className="btn"
      reason={reason ?? (asksPassword.includes(which) && namesGone(linkage) ? t('editGone') : null)}
      onClick={() => onAct(which)}
    >
      {word}
    </ReasonedButton>
  )
  return (
    <>
      <footer className="drawer-foot linkage-foot">
        <ReasonedButton className="btn" reason={whyNotRun} onClick={onRun}>
          <SceneIcon name="run" />
          {t('runNow')}
        </ReasonedButton>
        {linkage.Orphan && button('takeOver', t('takeOver'))}
        {Mark === 'halted' && button('clear', t('clear'))}
        {Enabled && Mark !== 'halted' && (Mode === 'shadow' ? button('live', t('toLive')) : button('shadow', t('toShadow')))}
        {Enabled ? button('disable', t('disable')) : button('enable', t('enable'))}
        <ReasonedButton className="btn" reason={reason ?? (isNarrow ? t('tooNarrow') : null)} onClick={onEdit}>
          <Icon name="edit" />
          {t('edit')}
        </ReasonedButton>
        <span className="grow" />
        <ReasonedButton
          className="btn quiet"
          reason={reason}
          aria-label={t('remove')}
          title={t('remove')}
          onClick={() => onAct('remove')}
        >
          <Icon name="trash" />
        </ReasonedButton>
      </footer>
      {act && (
        <SwitchDialog linkage={linkage} act={act} onClose={() => onAct(null)} {...(act === 'remove' && { onDone: onGone })} />
      )}
    </>
  )
}
