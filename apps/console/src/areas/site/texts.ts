import { inBoth } from '../../ui/in-both.ts'

/** Groups, projects and gateways. */
export const site = inBoth(
  {
    groups: '分组管理',
    groupName: '分组名称',
    projects: '项目数',
    defaultGroup: '默认',
    addGroup: '新增分组',
    editGroup: '编辑分组',
    noGroups: '还没有分组',
    noGroupsHint: '分组用来归类项目。',
    defaultStays: '默认分组不能删除',
    groupInUse: '分组内还有项目，请先移走',
    groupNotMine: '分组内有您看不到的项目，不能修改',
    deleteGroupTitle: '删除分组 {{name}}',
    deleteGroupWhat: '分组将被删除，不影响任何项目和设备。',
  },
  {
    groups: 'Groups',
    groupName: 'Group name',
    projects: 'Projects',
    defaultGroup: 'Default',
    addGroup: 'Add group',
    editGroup: 'Edit group',
    noGroups: 'No groups yet',
    noGroupsHint: 'Groups organise your projects.',
    defaultStays: 'The default group cannot be deleted',
    groupInUse: 'The group contains projects; move them first',
    groupNotMine: 'The group contains projects that you do not have access to',
    deleteGroupTitle: 'Delete group {{name}}',
    deleteGroupWhat: 'The group is deleted; projects and equipment are not affected.',
  },
)
