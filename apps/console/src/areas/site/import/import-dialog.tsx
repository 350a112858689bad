import { maxGateways } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'
import { NoChoice } from '../../../app/net/no-choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FileChoice } from '../../../ui/file-choice.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { PickField } from '../../../ui/pick-field.tsx'
import { useProjectNames } from '../queries.ts'
import { CheckedRows } from './checked-rows.tsx'
import './import-dialog.css'
import type { Import } from './use-import.ts'
import { useImport } from './use-import.ts'

/** Many gateways from a spreadsheet: a template, a check that names every bad cell, then the good rows, and their secrets once. */
export function ImportDialog({ houseId, onClose }: { houseId: number | null; onClose: () => void }) {
  const { t } = useTranslation(['importing', 'app'])
  const gateways = useImport(houseId)
  const { busy, problem, checked, secrets, kept, good } = gateways
  const stays = secrets !== null && !kept
  return (
    <Dialog label={t('title')} wide stays={stays} onClose={onClose}>
      <h2>{t('title')}</h2>
      <div className="content import-dialog">
        {secrets ? (
          <SecretsOnce count={secrets.length} busy={busy} onSave={gateways.saveSecrets} />
        ) : (
          <ChooseFile gateways={gateways} />
        )}
        {busy && <p role="status">{t('reading')}</p>}
        {problem !== null && (
          <p className="problem" role="alert">
            <Mark kind="alarm" />
            {problem}
          </p>
        )}
      </div>
      <div className="foot">
        {checked && checked.problems.size > 0 && (
          <button type="button" className="btn" disabled={busy} onClick={gateways.saveFailedRows}>
            {t('failedRows')}
          </button>
        )}
        {stays && <span className="mute">{t('secretsHint')}</span>}
        <button type="button" className="btn" disabled={stays} onClick={onClose}>
          {t('app:close')}
        </button>
        {checked && !secrets && (
          <button type="button" className="btn primary" disabled={busy || good.length === 0} onClick={gateways.add}>
            {t('import', { count: good.length })}
          </button>
        )}
      </div>
    </Dialog>
  )
}

/** Where the gateways go, the template, and the file that was filled in, with every bad cell of it. */
function ChooseFile({ gateways: { house, busy, checked, chooseHouse, saveTemplate, readFile } }: { gateways: Import }) {
  const { t } = useTranslation(['importing', 'app'])
  const projects = useProjectNames()
  return (
    <>
      <p>{t('steps')}</p>
      <p className="mute">{t('limits', { most: maxGateways })}</p>
      <PickField
        label={t('project')}
        value={house}
        placeholder={t('app:pleaseSelect')}
        disabled={busy}
        options={(projects.data?.items ?? []).map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
        onChange={chooseHouse}
        required
      />
      <NoChoice query={projects} />
      <div className="chips">
        <button type="button" className="btn" disabled={busy} onClick={saveTemplate}>
          <Icon name="download" />
          {t('template')}
        </button>
        <FileChoice
          accept=".xls,.xlsx"
          label={checked ? t('otherFile') : undefined}
          disabled={busy}
          onFile={(given) => void readFile(given)}
        />
      </div>
      {checked && <CheckedRows rows={checked.rows} problems={checked.problems} />}
    </>
  )
}

function SecretsOnce({ count, busy, onSave }: { count: number; busy: boolean; onSave: () => void }) {
  const { t } = useTranslation('importing')
  return (
    <>
      <p>
        <b>{t('done', { count })}</b>
      </p>
      <p className="caution" role="alert">
        <Mark kind="warning" />
        {t('secretsOnce')}
      </p>
      <button type="button" className="btn" disabled={busy} onClick={onSave}>
        <Icon name="download" />
        {t('secrets')}
      </button>
    </>
  )
}
