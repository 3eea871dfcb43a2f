/** HTML that a server has drawn. Unlike `v-html`, it is not written once more when the page is taken over: shadow roots would be lost. */
export default defineComponent({
  props: { html: { type: String, required: true } },
  setup: (props) => () => h('div', { innerHTML: props.html }),
});
