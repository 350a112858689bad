import type { TimerFunction } from '@linewarden/rules/automation'
import { maxTimerLines } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../../plant/equipment.ts'
import { isCalled } from '../../../plant/equipment.ts'
import { taggedAmong, tagsOn } from '../../../plant/tag-counts.ts'
import { TaggedMark, TagMark } from '../../../plant/tag-mark.tsx'
import { useTagCounts } from '../../../plant/tagged-lines.ts'
import { Empty } from '../../../ui/body-state.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SearchField } from '../../../ui/fields.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { chosenOf, TriCheck } from '../../../ui/tri-check.tsx'
import type { LineTarget } from './form-values.ts'
import { canServe, lineKey, targetOf } from './line-targets.ts'

/** Ticks lines in the tree of a project, cabinet by cabinet. What cannot do it stands there too, and says so. */
export function LinesDialog({
  chosen,
  lines,
  purpose,
  onDone,
  onClose,
}: {
  chosen: readonly LineTarget[]
  lines: readonly LineRef[]
  purpose: TimerFunction | null
  onDone: (lines: readonly LineTarget[]) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['timerForm', 'app'])
  const [search, setSearch] = useState('')
  const [ticked, setTicked] = useState<ReadonlyMap<string, LineTarget>>(new Map(chosen.map((line) => [lineKey(line), line])))
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const found = lines.filter(({ line }) => line.LineNo > 0).filter(isCalled(search))
  const gateways = [...Map.groupBy(found, ({ gateway }) => gateway)]
  const keys = new Set(ticked.keys())
  const set = (some: readonly LineRef[], on: boolean) => {
    const after = new Map(ticked)
    for (const each of some) {
      const target = targetOf(each)
      if (on) after.set(lineKey(target), target)
      else after.delete(lineKey(target))
    }
    setTicked(after)
  }
  const fold = (id: number) => {
    const after = new Set(folded)
    if (!after.delete(id)) after.add(id)
    setFolded(after)
  }
  const tooMany = ticked.size > maxTimerLines
  return (
    <Dialog label={t('pickLines')} wide onClose={onClose}>
      <h2>{t('pickLines')}</h2>
      <div className="content timer-lines">
        <SearchField label={t('findLine')} value={search} onChange={setSearch} />
        {found.length === 0 && <Empty title={t(search === '' ? 'noLines' : 'noneCalled')} />}
        <ul>
          {gateways.map(([gateway, inside]) => (
            <GatewayTicks
              key={gateway.DeviceID}
              gateway={gateway}
              inside={inside}
              purpose={purpose}
              keys={keys}
              isOpen={search !== '' || !folded.has(gateway.DeviceID)}
              onFold={() => fold(gateway.DeviceID)}
              onTick={set}
            />
          ))}
        </ul>
      </div>
      <div className="foot">
        <span className={tooMany ? 'aside wrong-note' : 'aside mute'} role={tooMany ? 'alert' : undefined}>
          {t(tooMany ? 'tooManyLines' : 'chosenLines', { count: ticked.size, most: maxTimerLines })}
        </span>
        <button type="button" className="btn" onClick={onClose}>
          {t('app:cancel')}
        </button>
        <button type="button" className="btn primary" disabled={tooMany} onClick={() => onDone([...ticked.values()])}>
          {t('takeLines', { count: ticked.size })}
        </button>
      </div>
    </Dialog>
  )
}

function GatewayTicks({
  gateway,
  inside,
  purpose,
  keys,
  isOpen,
  onFold,
  onTick,
}: {
  gateway: LineRef['gateway']
  inside: readonly LineRef[]
  purpose: TimerFunction | null
  keys: ReadonlySet<string>
  isOpen: boolean
  onFold: () => void
  onTick: (some: readonly LineRef[], on: boolean) => void
}) {
  const { t } = useTranslation('timerForm')
  const tags = useTagCounts()
  const fit = inside.filter((each) => canServe(each, purpose))
  const chosen = fit.length === 0 ? 'none' : chosenOf(fit.map(keyOf), keys)
  return (
    <li>
      <div className="timer-gateway">
        <button
          type="button"
          className="btn small quiet"
          aria-expanded={isOpen}
          aria-label={t('linesOf', { name: gateway.GatewayName })}
          onClick={onFold}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
        </button>
        <TriCheck chosen={chosen} disabled={fit.length === 0} onChange={(on) => onTick(fit, on)}>
          <b>
            <bdi>{gateway.GatewayName}</bdi>
          </b>{' '}
          <TaggedMark count={taggedAmong(tags, inside.map(lineIdOf))} />
        </TriCheck>
      </div>
      {isOpen && (
        <ul aria-label={gateway.GatewayName}>
          {inside.map((each) => (
            <LineTick
              key={each.line.LineID}
              lineRef={each}
              purpose={purpose}
              tags={tagsOn(tags, each.line.LineID)}
              ticked={keys.has(keyOf(each))}
              onTick={(on) => onTick([each], on)}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

const lineIdOf = ({ line }: LineRef): number => line.LineID
const keyOf = (lineRef: LineRef): string => lineKey(targetOf(lineRef))

function LineTick({
  lineRef,
  purpose,
  tags,
  ticked,
  onTick,
}: {
  lineRef: LineRef
  purpose: TimerFunction | null
  tags: number | null
  ticked: boolean
  onTick: (on: boolean) => void
}) {
  const { t } = useTranslation('timerForm')
  const fits = canServe(lineRef, purpose)
  return (
    <li>
      <TriCheck chosen={ticked ? 'all' : 'none'} disabled={!fits && !ticked} onChange={onTick}>
        <bdi>{lineRef.line.LineName}</bdi> <TagMark count={tags} />
        {!fits && <small className="mute">{t(purpose === 'selfTest' ? 'hasNoTest' : 'hasNoSwitch')}</small>}
      </TriCheck>
    </li>
  )
}
