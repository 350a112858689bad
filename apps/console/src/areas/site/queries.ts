import { accountDetails, lookupProjects, projectsByGroup, reportUsers } from '@linewarden/contract'
import { useCall } from '../../app/net/use-call.ts'

/** Names of every project I see, for pickers. */
export const useProjectNames = () => useCall(lookupProjects, { query: {} }, { staleTime: 30_000 })

/** Groups of my tree with whose they are and their projects: all of them, however many there are. */
export const useGroupNames = () => useCall(projectsByGroup, {}, { staleTime: 30_000 })

/** Who I am among the accounts: platform administrator, project administrator, sub-account or shared. */
export const useMe = () => useCall(accountDetails, {}, { staleTime: 60_000 })

/** The project administrators, for who runs the installation: all of them. */
export const useAdministrators = (enabled: boolean) =>
  useCall(reportUsers, { query: { Kind: 'project' } }, { enabled, staleTime: 30_000 })
