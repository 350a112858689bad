import type { Project } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { ByProject } from '../../plant/by-project.tsx'
import { addTexts } from '../../ui/i18n.ts'
import { BillCheckPage } from './bill-check.tsx'
import { billCheck } from './bill-texts.ts'
import { StatementList } from './statement-list.tsx'
import { DraftSheetPage, StatementSheetPage } from './statement-sheet.tsx'
import { statements } from './statement-texts.ts'
import '../../ui/list.css'
import '../../ui/query-table.css'
import '../energy/tariff.css'
import './statements.css'

addTexts({ statements, billCheck })

/** What the utility bills by months, and its statements; project, months, state, page and the open statement stand in the address. */
export function PowerReportPage() {
  const { t } = useTranslation('statements')
  const words = { title: t('title'), project: t('project'), choose: t('choose'), hint: t('chooseHint') }
  return <ByProject words={words}>{(house) => <Report key={house.HouseID} house={house} />}</ByProject>
}

function Report({ house }: { house: Project }) {
  const [address, setAddress] = useSearchParams()
  const statementId = Number(address.get('statement'))
  const [, supply, month] = /^(\d{1,9})\.(\d{4}-\d{2})$/.exec(address.get('draft') ?? '') ?? []
  const back = () =>
    setAddress((before) => {
      for (const name of ['statement', 'draft', 'verify', 'bill']) before.delete(name)
      return before
    })
  const toggleBill = (isOpen: boolean) =>
    setAddress((before) => {
      if (isOpen) before.set('bill', '1')
      else before.delete('bill')
      return before
    })
  if (Number.isInteger(statementId) && statementId > 0 && address.get('bill') !== null)
    return <BillCheckPage house={house} statementId={statementId} onBack={() => toggleBill(false)} />
  if (Number.isInteger(statementId) && statementId > 0)
    return (
      <StatementSheetPage
        house={house}
        statementId={statementId}
        isVerified={address.get('verify') !== null}
        onBill={() => toggleBill(true)}
        onBack={back}
      />
    )
  if (supply !== undefined && month !== undefined)
    return <DraftSheetPage house={house} supplyId={Number(supply)} month={month} onBack={back} />
  return <StatementList house={house} />
}
