import type { Project, Statement, StatementRow } from '@linewarden/contract'
import { correctStatement, draftStatement, issueStatement, moneyText, voidStatement, wholeKwh } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { unitOf } from '../energy/tariff-values.ts'
import { StatementProblems } from './statement-problems.tsx'
import { moneyLess, signed } from './statement-values.ts'

interface Props {
  readonly house: Project
  readonly row: StatementRow
  readonly onClose: () => void
  readonly onDone: () => void
}

const maxReason = 300

/** What would be issued now, with estimates where what stands against it can be issued so. */
function useDraft({ house, row }: Pick<Props, 'house' | 'row'>) {
  const body = { HouseID: house.HouseID, SupplyID: row.SupplyID, Month: row.Month }
  const plain = useCall(draftStatement, { body })
  const problems = plain.data?.Problems ?? []
  const isEstimated = problems.length > 0 && problems.every(({ ByReason }) => ByReason)
  const filled = useCall(draftStatement, { body: { ...body, Estimate: true } }, { enabled: isEstimated })
  const query = isEstimated ? filled : plain
  return { query, problems, isEstimated, isReady: query.data?.Total != null && (problems.length === 0 || isEstimated) }
}

/** Freezes a statement: says of what, how much, and what is estimated. */
export function IssueDialog({ house, row, onClose, onDone }: Props) {
  const { t } = useTranslation('statements')
  const { query, problems, isEstimated, isReady } = useDraft({ house, row })
  const [reason, setReason] = useState('')
  const [isAsked, setAsked] = useState(false)
  const isMissing = isEstimated && reason.trim() === ''
  const { data: draft } = query
  return (
    <FormDialog
      title={t(isEstimated ? 'issueTitleEstimated' : 'issueTitle')}
      submit={t('doIssue')}
      ready={isReady}
      onClose={onClose}
      onSubmit={async () => {
        setAsked(true)
        if (isMissing) return ''
        const body = { HouseID: house.HouseID, SupplyID: row.SupplyID, Month: row.Month, Total: draft?.Total ?? '' }
        return done(() => change(issueStatement, { body: { ...body, Estimates: isEstimated ? reason.trim() : null } }), onDone)
      }}
    >
      <p>{t('issueWhat', { supply: row.Supply, from: row.From, to: row.To })}</p>
      {!draft && <Unloaded query={query} />}
      {draft && <Comes statement={draft} />}
      <Problems problems={problems} />
      {isEstimated && <EstimateReason value={reason} onChange={setReason} isAsked={isAsked} />}
    </FormDialog>
  )
}

/** Cancels and replaces: what was issued beside what is known now. */
export function CorrectDialog({ house, row, onClose, onDone }: Props) {
  const { t, i18n } = useTranslation('statements')
  const { query, problems, isEstimated, isReady } = useDraft({ house, row })
  const [why, setWhy] = useState('')
  const [reason, setReason] = useState('')
  const [isAsked, setAsked] = useState(false)
  const { data: draft } = query
  const { Issued } = row
  const number = Issued?.Number ?? ''
  const isMissing = why.trim() === '' || (isEstimated && reason.trim() === '')
  const unit = draft?.Currency ? unitOf(draft.Currency, i18n.language) : ''
  const difference = moneyLess(draft?.Total ?? null, Issued?.Total ?? null)
  return (
    <FormDialog
      title={t('correctTitle', { number })}
      submit={t('doCorrect')}
      ready={isReady}
      onClose={onClose}
      onSubmit={async () => {
        setAsked(true)
        if (isMissing) return ''
        const body = { HouseID: house.HouseID, StatementID: Issued?.StatementID ?? 0, Total: draft?.Total ?? '' }
        const Estimates = isEstimated ? reason.trim() : null
        return done(() => change(correctStatement, { body: { ...body, Reason: why.trim(), Estimates } }), onDone)
      }}
    >
      <p>{t('correctWhat')}</p>
      {!draft && <Unloaded query={query} />}
      {draft && Issued && (
        <dl className="statement-compared">
          <dt>{t('before')}</dt>
          <dd>{`${wholeKwh(Issued.BilledWh)} kWh`}</dd>
          <dd>{`${moneyText(Issued.Total)} ${unit}`}</dd>
          <dt>{t('after')}</dt>
          <dd>{`${wholeKwh(draft.BilledWh)} kWh`}</dd>
          <dd>{`${moneyText(draft.Total)} ${unit}`}</dd>
          <dt>{t('difference')}</dt>
          <dd>{`${signed(wholeKwh(draft.BilledWh - Issued.BilledWh))} kWh`}</dd>
          <dd>{difference === null ? '–' : `${signed(moneyText(difference))} ${unit}`}</dd>
        </dl>
      )}
      <Problems problems={problems} />
      <Reason
        label={t('correctReason')}
        usual={(['late', 'tariff', 'meter'] as const).map((each) => t(`correctReasons.${each}`))}
        value={why}
        onChange={setWhy}
        isMissing={isAsked && why.trim() === ''}
      />
      {isEstimated && <EstimateReason value={reason} onChange={setReason} isAsked={isAsked} />}
    </FormDialog>
  )
}

export function VoidDialog({ house, row, onClose, onDone }: Props) {
  const { t } = useTranslation('statements')
  return (
    <ConfirmDialog
      title={t('voidTitle', { number: row.Issued?.Number ?? '' })}
      what={t('voidWhat')}
      submit={t('doVoid')}
      reasons={(['account', 'twice', 'withdrawn'] as const).map((each) => t(`voidReasons.${each}`))}
      onClose={onClose}
      onConfirm={(Reason) =>
        done(
          () =>
            change(voidStatement, {
              body: { HouseID: house.HouseID, StatementID: row.Issued?.StatementID ?? 0, Reason },
            }),
          onDone,
        )
      }
    />
  )
}

async function done(act: () => Promise<unknown>, onDone: () => void): Promise<string | null> {
  try {
    await act()
    onDone()
    return null
  } catch (error) {
    return messageOf(error)
  }
}

function Comes({ statement }: { statement: Statement }) {
  const { t, i18n } = useTranslation('statements')
  const unit = statement.Currency ? unitOf(statement.Currency, i18n.language) : ''
  return (
    <p className="statement-comes">
      <b>{wholeKwh(statement.BilledWh)}</b> kWh <b>{moneyText(statement.Total)}</b> {unit}
      <span className="hidden-visually">{t('sum')}</span>
    </p>
  )
}

function Problems({ problems }: { problems: Statement['Problems'] }) {
  const { t } = useTranslation('statements')
  if (problems.length === 0) return null
  return (
    <>
      <p>{t('against', { count: problems.length })}</p>
      <StatementProblems problems={problems} />
    </>
  )
}

/** Why it is issued with estimates: by name and reason. */
function EstimateReason(props: { value: string; onChange: (value: string) => void; isAsked: boolean }) {
  const { isAsked, ...field } = props
  const { t } = useTranslation('statements')
  const isMissing = isAsked && field.value.trim() === ''
  return <Reason {...field} label={t('estimateReason')} hint={t('estimateWhat')} isMissing={isMissing} />
}

function Reason(props: {
  label: string
  hint?: string
  usual?: readonly string[]
  value: string
  onChange: (value: string) => void
  isMissing: boolean
}) {
  const { isMissing, ...field } = props
  const { t } = useTranslation('statements')
  return <TextField {...field} maxLength={maxReason} required error={isMissing ? t('reasonMissing') : null} />
}
