import type { TimerFunction } from '@linewarden/rules/automation'
import { maxTimerLines } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../../plant/equipment.ts'
import { tagsOn } from '../../../plant/tag-counts.ts'
import { TaggedNote, TagMark } from '../../../plant/tag-mark.tsx'
import { useTagCounts } from '../../../plant/tagged-lines.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { LineTarget } from './form-values.ts'
import { lineKey, targetOf } from './line-targets.ts'
import { LinesDialog } from './lines-dialog.tsx'

const shownChips = 24

/** The lines that a timer acts on, picked from the tree of its project. */
export function LinesField({
  chosen,
  lines,
  purpose,
  closes,
  why,
  onChange,
}: {
  chosen: readonly LineTarget[]
  /** Of the project; null: they are not there yet. */
  lines: readonly LineRef[] | null
  purpose: TimerFunction | null
  /** Whether one of its times closes them: of tagged ones it does not. */
  closes: boolean
  /** Why nobody picks here; null: they may. */
  why: string | null
  onChange: (lines: readonly LineTarget[]) => void
}) {
  const { t } = useTranslation('timerForm')
  const [picking, setPicking] = useState(false)
  const [all, setAll] = useState(false)
  const tags = useTagCounts()
  const known = new Map((lines ?? []).map((each) => [lineKey(targetOf(each)), each.line]))
  const shown = all ? chosen : chosen.slice(0, shownChips)
  return (
    <>
      <div className="line-up chosen">
        {shown.map((line) => {
          const found = known.get(lineKey(line))
          const name = found?.LineName ?? t('unknownLine', { device: line.ControllerID, no: line.LineNo })
          const tagged = found ? tagsOn(tags, found.LineID) : lines === null ? null : 0
          return why === null ? (
            <button
              type="button"
              className="chip"
              key={lineKey(line)}
              aria-label={t('takeOut', { name })}
              onClick={() => onChange(chosen.filter((each) => lineKey(each) !== lineKey(line)))}
            >
              <bdi>{name}</bdi>
              <TagMark count={tagged} />
              <Icon name="close" />
            </button>
          ) : (
            <span className="chip" key={lineKey(line)}>
              <bdi>{name}</bdi>
              <TagMark count={tagged} />
            </span>
          )
        })}
        {chosen.length > shown.length && (
          <button type="button" className="btn small quiet" onClick={() => setAll(true)}>
            {t('moreLines', { count: chosen.length - shown.length })}
          </button>
        )}
        <ReasonedButton
          className="btn small"
          reason={why ?? (lines === null ? t('linesLoading') : null)}
          onClick={() => setPicking(true)}
        >
          <Icon name="plus" />
          {t('pickLines')}
        </ReasonedButton>
      </div>
      <p className="mute">{why ?? t('linesHint', { count: chosen.length, most: maxTimerLines })}</p>
      {closes && <TaggedNote lineIds={chosen.flatMap((line) => known.get(lineKey(line))?.LineID ?? [])} />}
      {picking && lines && (
        <LinesDialog
          chosen={chosen}
          lines={lines}
          purpose={purpose}
          onDone={(to) => {
            onChange(to)
            setPicking(false)
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  )
}
