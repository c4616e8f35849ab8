// Sorts a table by the clicked column; without script the tables keep the order of the experiment.
for (const head of document.querySelectorAll('thead th')) {
  head.dataset.sortable = '';
  head.tabIndex = 0;
  const sort = () => {
    const column = [...head.parentNode.children].indexOf(head);
    const body = head.closest('table').tBodies[0];
    const down = head.getAttribute('aria-sort') === 'ascending';
    for (const other of head.parentNode.children) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    const key = (row) => row.children[column];
    const compare = (a, b) => {
      const [x, y] = [key(a), key(b)];
      return 'v' in x.dataset && 'v' in y.dataset
        ? x.dataset.v - y.dataset.v
        : x.textContent.localeCompare(y.textContent);
    };
    [...body.rows].sort((a, b) => (down ? -compare(a, b) : compare(a, b))).forEach((row) => body.append(row));
  };
  head.addEventListener('click', sort);
  head.addEventListener('keydown', (event) => { if (event.key === 'Enter') sort(); });
}
