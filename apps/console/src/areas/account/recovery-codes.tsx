import { useTranslation } from 'react-i18next'
import { saveText } from '../../ui/csv.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** Shown once: Escape does not close it. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('security')
  const save = () => saveText('linewarden-recovery-codes.txt', `${codes.join('\r\n')}\r\n`, 'text/plain;charset=utf-8')
  return (
    <Dialog label={t('codes')} stays onClose={onClose}>
      <h2>{t('codes')}</h2>
      <div className="content">
        <p>{t('codesWhat')}</p>
        <ul className="recovery-codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={save}>
          {t('saveCodes')}
        </button>
        <button type="button" className="btn primary" onClick={onClose}>
          {t('codesKept')}
        </button>
      </div>
    </Dialog>
  )
}
