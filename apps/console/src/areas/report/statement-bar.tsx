import type { Project } from '@linewarden/contract'
import { exportStatements, moneyText, verifyStatement, wholeKwh } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { api, messageOf } from '../../app/net/api.ts'
import { isDownloading } from '../../app/net/download-course.ts'
import { startDownload, useDownload } from '../../app/net/downloads.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { toast } from '../../app/notify/toasts.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { language } from '../../ui/i18n.ts'
import { CorrectDialog, IssueDialog, VoidDialog } from './statement-dialogs.tsx'
import { useOpen } from './statement-table.tsx'
import type { ShownRow } from './statement-values.ts'
import { figuresOf } from './statement-values.ts'

type Opened = 'issue' | 'correct' | 'void' | null

/** What can be done with the chosen rows: what cannot be done stays, and says why. */
export function StatementBar({ house, rows, onClear }: { house: Project; rows: readonly ShownRow[]; onClear: () => void }) {
  const { t } = useTranslation('statements')
  const [opened, setOpened] = useState<Opened>(null)
  const may = [useMayEdit(), useMayOpen('/system/project')].every(Boolean)
  const navigate = useNavigate()
  const open = useOpen()
  const verify = useVerify(house)
  const isBusy = useDownload((state) => isDownloading(state.current))
  const [first] = rows
  if (!first) return null
  const only = rows.length === 1 ? first : null
  const issued = rows.flatMap(({ row: { Issued } }) => Issued?.StatementID ?? [])
  const why = whyNot(rows, may)
  const figures = figuresOf(first)
  const view = () => {
    const { Issued, SupplyID, Month } = first.row
    void navigate(open(Issued ? { statement: String(Issued.StatementID) } : { draft: `${SupplyID}.${Month}` }))
  }
  const isEstimated = first.draft !== null && first.draft.Problems.length > 0
  return (
    <div className="selection-bar statement-bar" role="group" aria-label={t('chosen', { count: rows.length })}>
      <b>{only ? t('chosenOne') : t('chosen', { count: rows.length })}</b>
      {only && (
        <span className="statement-about">
          {[first.row.Issued?.Number, first.row.Supply, `${wholeKwh(figures?.wh ?? null)} kWh`, moneyText(figures?.total ?? null)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      )}
      <span className="grow" />
      <ReasonedButton className="btn" reason={only ? null : t('onlyOne')} onClick={view}>
        {t('view')}
      </ReasonedButton>
      <ReasonedButton className="btn" reason={why.verify && t(why.verify)} onClick={() => void verify(issued[0] ?? 0)}>
        {t('verify')}
      </ReasonedButton>
      <ReasonedButton className="btn" reason={why.correct && t(why.correct)} onClick={() => setOpened('correct')}>
        {t('correct')}
      </ReasonedButton>
      <ReasonedButton className="btn" reason={why.correct && t(why.correct)} onClick={() => setOpened('void')}>
        {t('makeVoid')}
      </ReasonedButton>
      <ReasonedButton
        className="btn"
        reason={issued.length === 0 ? t('onlyIssued') : isBusy ? t('otherDownload') : null}
        onClick={() =>
          void startDownload(() =>
            api.call(exportStatements, { body: { HouseID: house.HouseID, StatementIDs: issued, Language: language() } }),
          )
        }
      >
        {t('pack')}
      </ReasonedButton>
      <ReasonedButton className="btn primary" reason={why.issue && t(why.issue)} onClick={() => setOpened('issue')}>
        {t(isEstimated && why.issue === null ? 'issueEstimated' : 'issue')}
      </ReasonedButton>
      <button type="button" className="btn quiet" onClick={onClear}>
        {t('clear')}
      </button>
      {opened === 'issue' && <IssueDialog house={house} row={first.row} onClose={() => setOpened(null)} onDone={onClear} />}
      {opened === 'correct' && <CorrectDialog house={house} row={first.row} onClose={() => setOpened(null)} onDone={onClear} />}
      {opened === 'void' && <VoidDialog house={house} row={first.row} onClose={() => setOpened(null)} onDone={onClear} />}
    </div>
  )
}

type Why = 'onlyOne' | 'onlyIssued' | 'onlyReads' | 'isIssued' | 'isEnded' | 'notReady' | 'stillLoading'

/** Why each cannot be done with these; null: it can. */
function whyNot(rows: readonly ShownRow[], may: boolean): Readonly<Record<'verify' | 'correct' | 'issue', Why | null>> {
  const [first] = rows
  if (!first || rows.length > 1) return { verify: 'onlyOne', correct: 'onlyOne', issue: 'onlyOne' }
  const { row, draft, draftState } = first
  const ended = row.State === 'replaced' || row.State === 'void' ? 'isEnded' : null
  const ofDraft =
    draftState === 'loading' ? 'stillLoading' : !draft || draft.Problems.some(({ ByReason }) => !ByReason) ? 'notReady' : null
  return {
    verify: row.Issued ? null : 'onlyIssued',
    correct: row.Issued ? (ended ?? (may ? null : 'onlyReads')) : 'onlyIssued',
    issue: row.Issued ? (ended ?? 'isIssued') : may ? ofDraft : 'onlyReads',
  }
}

/** Has a statement reckoned again, and says whether it is what it was issued as. */
function useVerify({ HouseID }: Project) {
  const { t } = useTranslation('statements')
  return async (StatementID: number): Promise<void> => {
    try {
      const found = await api.call(verifyStatement, { query: { HouseID, StatementID } })
      const values = { number: found.Number, engine: found.Engine, bytes: found.Bytes.toLocaleString('en-US') }
      toast(found.IsEqual ? 'info' : 'refusal', t(found.IsEqual ? 'equal' : 'differs', values))
    } catch (error) {
      toast('refusal', messageOf(error))
    }
  }
}
