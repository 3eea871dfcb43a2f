import { addons } from 'storybook/manager-api';
import { create } from 'storybook/theming/create';

const dark = matchMedia('(prefers-color-scheme: dark)');

/** The frame around the stories: light and dark as the system says, and without a panel where there is nothing to control. */
function dress(): void {
  addons.setConfig({
    theme: create({ base: dark.matches ? 'dark' : 'light', brandTitle: 'Sitrep', brandUrl: './', brandTarget: '_self' }),
    layoutCustomisations: {
      showPanel: ({ storyId, index }, shown) => {
        const entry = storyId === undefined ? undefined : index?.[storyId];
        return entry && 'tags' in entry && entry.tags.includes('page') ? false : shown;
      },
    },
  });
}
dress();
// Where a story plays itself, what it did is what there is to look at.
addons.register('sitrep', (api) => {
  api.on('storyPrepared', () => {
    if (api.getCurrentStoryData()?.tags?.includes('played')) api.setSelectedPanel('storybook/interactions/panel');
  });
});
dark.addEventListener('change', dress);
