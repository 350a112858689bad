import type { TimerFunction } from '@linewarden/rules/automation'
import { maxTimerLines } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../../plant/equipment.ts'
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
  why,
  onChange,
}: {
  chosen: readonly LineTarget[]
  /** Of the project; null: they are not there yet. */
  lines: readonly LineRef[] | null
  purpose: TimerFunction | null
  /** Why nobody picks here; null: they may. */
  why: string | null
  onChange: (lines: readonly LineTarget[]) => void
}) {
  const { t } = useTranslation('timerForm')
  const [picking, setPicking] = useState(false)
  const [all, setAll] = useState(false)
  const names = new Map((lines ?? []).map((each) => [lineKey(targetOf(each)), each.line.LineName]))
  const shown = all ? chosen : chosen.slice(0, shownChips)
  return (
    <>
      <div className="line-up chosen">
        {shown.map((line) => {
          const name = names.get(lineKey(line)) ?? t('unknownLine', { device: line.ControllerID, no: line.LineNo })
          return why === null ? (
            <button
              type="button"
              className="chip"
              key={lineKey(line)}
              aria-label={t('takeOut', { name })}
              onClick={() => onChange(chosen.filter((each) => lineKey(each) !== lineKey(line)))}
            >
              <bdi>{name}</bdi>
              <Icon name="close" />
            </button>
          ) : (
            <span className="chip" key={lineKey(line)}>
              <bdi>{name}</bdi>
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
